"""Which links does a page offer, said in which words, from which kind of page?"""
