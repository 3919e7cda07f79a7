"""Where parts are named and put together."""
