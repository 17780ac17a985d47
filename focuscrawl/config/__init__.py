"""What does the user say? Arguments, topic files, seed lists, settings and Scrapyd's jobs: text in, checked values out."""
