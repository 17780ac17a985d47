"""The sub-commands of `scrapy frontier`, one a file. They are listed in `focuscrawl/commands/frontier.py`."""
