"""`noiseless demo`: the curator at work on a million people who do not exist."""

from noiseless.app.demo.show import run as run
