"""The screens: each owns its state, starts background work and answers the messages of its widgets."""
