"""Control the browser's traffic: its proxy, certificates, and requests that are answered instead of sent."""
