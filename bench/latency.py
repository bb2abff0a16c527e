"""10,000 requests to a server that answers after 200 ms, 256 at a time: wall time against the ideal, and memory."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

from tests.sites.nginx import free_port, wait_for

from bench.measure import usage_of

COUNT, PARALLEL, DELAY = 10_000, 256, 0.2
BODY = b"<p>" + b"x" * 15_000
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(BODY) + BODY


def main() -> None:
    """Serve in another process, fetch in a third, print how far from the ideal it was."""
    port = free_port()
    server = subprocess.Popen([sys.executable, "-m", "bench.latency", "serve", str(port)])
    try:
        wait_for(port)
        client = [sys.executable, str(Path(__file__).parent / "clients" / "ours.py"), f"http://127.0.0.1:{port}"]
        usage = usage_of([*client, str(COUNT), str(PARALLEL)])
    finally:
        server.terminate()
        server.wait()
    ideal = COUNT / PARALLEL * DELAY
    sys.stdout.write(f"latency: {COUNT:,} requests, each answered after {DELAY * 1000:.0f} ms, {PARALLEL} parallel\n")
    sys.stdout.write(
        f"  {usage.wall:.1f} s, {usage.wall / ideal:.2f} × the ideal {ideal:.1f} s   peak RSS {usage.rss} MB\n"
    )


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
