"""Counts of the whole server, for Prometheus."""

from __future__ import annotations

from fastapi import APIRouter, Response

from noiseless.app.service.parameters import Overseer, Running

router = APIRouter(tags=["operations"])
TEXT = "text/plain; version=0.0.4; charset=utf-8"


@router.get("/metrics", response_class=Response, responses={200: {"content": {TEXT: {"schema": {"type": "string"}}}}})
async def metrics(caller: Overseer, service: Running) -> Response:
    """Requests by route and status, durations of those that never read private data, and the bits left."""
    lines = list((await service.counted()).lines())
    lines += ["# HELP noiseless_bits_left What is left for everybody.", "# TYPE noiseless_bits_left gauge"]
    for each in service.datasets:
        if caller.may_see(each.name):
            left = await each.run(lambda curator: curator.remaining)
            lines.append(f'noiseless_bits_left{{dataset="{_escaped(each.name)}"}} {left:.6f}')
    return Response("\n".join(lines) + "\n", media_type=TEXT)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
