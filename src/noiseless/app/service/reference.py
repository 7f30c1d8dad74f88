"""The OpenAPI document: the responses that every route can give are added in one place."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fastapi import APIRouter, FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute

from noiseless.app.service.caller import Allowed, no_token_needed
from noiseless.app.service.problems import MEDIA, ProblemDetails

PROBLEMS = {
    400: "the body cannot be read",
    401: "no valid token",
    402: "the budget or a quota does not allow it",
    403: "the role of the token may not do this",
    404: "nothing has this name or number, or your token is not for it",
    406: "none of the media types in Accept is offered",
    408: "the request took too long to arrive",
    409: "not possible in the present state",
    413: "the request is too large",
    415: "the body is not JSON",
    422: "the request is refused",
    429: "too many requests",
    500: "the server failed",
    501: "an optional part is not installed",
    503: "not now",
}
FREE = (408, 413, 429, 500, 503)
"""The problems that any request can have."""


def document(app: FastAPI, routers: Iterable[APIRouter]) -> None:
    """Have the application describe itself. Refused if a route does not say who may use it."""
    roles = {route.unique_id: roles_of(route) for route in api_routes(routers)}

    def described() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _described(app, roles)
        return app.openapi_schema

    app.openapi = described  # type: ignore[method-assign]


def _described(app: FastAPI, roles: dict[str, list[str] | None]) -> dict[str, Any]:
    found = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
    parts = found.setdefault("components", {})
    schemas = parts.setdefault("schemas", {})
    schemas["Problem"] = ProblemDetails.model_json_schema()
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    parts["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    for operations in found["paths"].values():
        for operation in operations.values():
            _add_problems(operation, roles[operation["operationId"]])
    return found


def api_routes(routers: Iterable[APIRouter]) -> list[APIRoute]:
    """All routes of some routers."""
    return [each for router in routers for each in router.routes if isinstance(each, APIRoute)]


def roles_of(route: APIRoute) -> list[str] | None:
    """The roles that may use a route; None if it needs no token. Every route says one or the other, and only once."""
    said = [each.call for each in route.dependant.dependencies]
    found = [each for each in said if isinstance(each, Allowed) or each is no_token_needed]
    if len(found) != 1:
        raise RuntimeError(f"{route.path} must say once who may use it")
    return sorted(found[0].roles) if isinstance(found[0], Allowed) else None


def _add_problems(operation: dict[str, Any], roles: list[str] | None) -> None:
    schema = {MEDIA: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    for status, words in PROBLEMS.items():
        if roles is not None or status in FREE or str(status) in operation["responses"]:
            operation["responses"][str(status)] = {"description": words, "content": schema}
    if roles is not None:
        operation |= {"security": [{"token": []}], "x-roles": roles}
