"""`noiseless demo`: the curator at work on a million synthetic people."""

from noiseless.app.demo.show import run as run
