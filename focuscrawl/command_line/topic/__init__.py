"""The sub-commands of `scrapy topic`, one module for each task: editing, finding pages, labelling and training, replaying."""
