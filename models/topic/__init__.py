"""What is the topic? A vector of weighted terms, which scores any text by document frequencies."""
