"""The OpenAPI document: the responses that every route can give are added in one place."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from noiseless.app.service.problems import MEDIA, ProblemDetails

PROBLEMS = {
    400: "the body cannot be read",
    401: "no valid token",
    402: "the budget or a quota does not allow it",
    403: "the role of the token may not do this",
    404: "nothing of this name or number, or it is not for you",
    406: "no media type of Accept is offered",
    408: "the request took too long to arrive",
    409: "something stands in the way now",
    413: "the request is too large",
    422: "the request is refused",
    429: "too many requests",
    500: "the server failed",
    501: "an optional part is not installed",
    503: "not now",
}
FREE = (408, 413, 429, 500, 503)
"""What can happen to any request."""


def document(app: FastAPI) -> None:
    """Have the application describe itself."""

    def described() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _described(app)
        return app.openapi_schema

    app.openapi = described  # type: ignore[method-assign]


def _described(app: FastAPI) -> dict[str, Any]:
    found = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
    parts = found.setdefault("components", {})
    schemas = parts.setdefault("schemas", {})
    schemas["Problem"] = ProblemDetails.model_json_schema()
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    parts["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    for path, operations in found["paths"].items():
        for operation in operations.values():
            _add_problems(operation, free=path in ("/health", "/ready"))
    return found


def _add_problems(operation: dict[str, Any], free: bool) -> None:
    schema = {MEDIA: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    for status, words in PROBLEMS.items():
        if not free or status in FREE:
            operation["responses"][str(status)] = {"description": words, "content": schema}
    if not free:
        operation["security"] = [{"token": []}]
