"""What is promised: mechanisms, definitions, guarantees, composition."""
