"""Send 10,000 requests to a server that answers after 200 ms, 256 at a time; compare wall time to the ideal."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from bench.child_server import child_server
from bench.measure import measure_usage, say

COUNT, PARALLEL, DELAY = 10_000, 256, 0.2
BODY = b"<p>" + b"x" * 15_000
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(BODY) + BODY


def main() -> None:
    """Fetch from the server in another process, and print the ratio to the ideal time."""
    with child_server("bench.latency") as port:
        client = [sys.executable, str(Path(__file__).parent / "clients" / "ours.py"), f"http://127.0.0.1:{port}"]
        usage = measure_usage([*client, str(COUNT), str(PARALLEL)])
    ideal = COUNT / PARALLEL * DELAY
    say(f"latency: {COUNT:,} requests, each answered after {DELAY * 1000:.0f} ms, {PARALLEL} parallel")
    say(f"  {usage.wall:.1f} s, {usage.wall / ideal:.2f} × the ideal {ideal:.1f} s   peak RSS {usage.rss} MB")


async def serve(port: int) -> None:
    """Answer every request on a connection after the delay."""

    async def connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await reader.readuntil(b"\r\n\r\n"):
                await asyncio.sleep(DELAY)
                writer.write(ANSWER)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(connection, "127.0.0.1", port, backlog=1024)
    await server.serve_forever()


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        asyncio.run(serve(int(sys.argv[2])))
    else:
        main()
