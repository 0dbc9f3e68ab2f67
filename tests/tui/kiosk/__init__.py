"""The kiosk: what no key does, what nobody keeps, and that it comes back."""
