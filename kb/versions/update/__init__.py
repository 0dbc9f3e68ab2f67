"""Updates without a network: newer knowledge or a newer program on a stick: found, checked, tried, put in place."""
