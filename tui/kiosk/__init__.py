"""The interface as a kiosk: nobody leaves it, nothing stays of who was there, and it comes back by itself."""
