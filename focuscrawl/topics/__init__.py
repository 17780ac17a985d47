"""Making a topic: what stands behind `scrapy topic` and can stand behind a web page. Plain data in, plain data out."""
