"""What is the topic? Its terms, weights and background, as a vector that scores any text."""
