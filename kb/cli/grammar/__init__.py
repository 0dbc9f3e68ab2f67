"""What the command line understands: the verbs of each room, with their arguments. Imports nothing heavy."""
