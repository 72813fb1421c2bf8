"""Gives schemathesis values that it cannot guess.

Every third request to these operations gets a correct password, a new refresh token, a valid invitation, or a session
to end.
"""

import json
import os
from uuid import uuid4

import schemathesis

from server import call

BASE = os.environ.get("INTEROP_BASE", "")
ESTATE = json.loads(os.environ.get("INTEROP_ESTATE", "{}"))
turns: dict[str, int] = {}


def new_refresh_token() -> str:
    return call(BASE, "POST", "/auth/login", ESTATE["owner"])["refresh_token"]


def new_invitation() -> str:
    email = f"guest-{uuid4().hex}@example.com"
    path = f"/platform/workspaces/{ESTATE['workspace']}/members"
    return call(BASE, "POST", path, {"email": email, "role": "viewer"}, ESTATE["token"])["invitation_token"]


def new_session() -> str:
    token = call(BASE, "POST", "/auth/login", ESTATE["caller"])["access_token"]
    return call(BASE, "GET", "/auth/me", None, token)["session"]["id"]


def change_password() -> dict:
    password = ESTATE["caller"]["password"]
    return {"current_password": password, "new_password": password}


BODIES = {
    "POST /auth/login": lambda: ESTATE["owner"],
    "POST /auth/refresh": lambda: {"refresh_token": new_refresh_token()},
    "POST /auth/invitations/{token}": lambda: {"name": "Guest", "password": "a long password"},
    "POST /auth/password": change_password,
}
PATHS = {
    "GET /auth/invitations/{token}": lambda: {"token": new_invitation()},
    "POST /auth/invitations/{token}": lambda: {"token": new_invitation()},
    "DELETE /auth/sessions/{id}": lambda: {"id": new_session()},
}
# Operations that need a signed-in user. They are skipped in runs with an API key.
OF_CALLER = ["POST /auth/password", "DELETE /auth/sessions/{id}"]


@schemathesis.hook
def before_call(context, case, kwargs):
    label = case.operation.label
    if label in BODIES and (case.media_type != "application/json" or not isinstance(case.body, dict)):
        return
    if (label not in BODIES and label not in PATHS) or (label in OF_CALLER and "caller" not in ESTATE):
        return
    turns[label] = turns.get(label, -1) + 1
    if turns[label] % 3 == 0 and case.method == label.split()[0]:
        if label in BODIES:
            case.body = BODIES[label]()
        if label in PATHS:
            case.path_parameters.update(PATHS[label]())
