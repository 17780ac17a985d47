"""What the commands are made of: their base class, what users type, where the result goes, and the sub-commands' work."""
