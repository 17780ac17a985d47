"""The sub-commands of `scrapy topic`, by what a user does with a topic: edit, find pages, label and train, replay."""
