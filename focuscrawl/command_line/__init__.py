"""What the commands share: their base class, the values that users type, the output, and the work of sub-commands."""
