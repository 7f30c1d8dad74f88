"""The promises: mechanisms, definitions, guarantees, composition."""
