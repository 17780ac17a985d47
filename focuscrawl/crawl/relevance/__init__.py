"""What is relevant, and by which model: the topic, one or several, as the process of a crawl makes, loads and teaches it."""
