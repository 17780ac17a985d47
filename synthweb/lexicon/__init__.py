"""The words of the synthetic web, one text file a topic, and the patterns of its sentences."""
