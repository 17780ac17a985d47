"""The sub-commands of `scrapy topic`, one a file. They are listed in `focuscrawl/commands/topic.py`."""
