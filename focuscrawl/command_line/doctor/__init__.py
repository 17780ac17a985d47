"""What `scrapy doctor` checks: functions that yield findings, by what they look at."""
