"""How is a topic made? Words and pages in, a trained topic out. Plain data; `scrapy topic` prints it."""
