"""What `scrapy doctor` looks at: functions that yield findings, by what they look at."""
