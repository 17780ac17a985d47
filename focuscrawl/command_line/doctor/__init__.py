"""The checks of `scrapy doctor`: functions that yield findings, one module for each subject."""
