"""What can be sent through an uncertain channel without any error."""
