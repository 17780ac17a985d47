"""Makes topics: from words and pages to a trained topic. The results are plain data, which `scrapy topic` prints."""
