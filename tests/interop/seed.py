"""Creates a workspace with some objects of each type, for generated requests."""

import urllib.request
from uuid import uuid4

# A deleted object is missing for other operations, so each of these has its own object.
DELETIONS = {
    "delete_tag": "tags", "delete_custom_field": "custom-fields", "delete_bot_field": "bot-fields",
    "delete_contact": "contacts", "delete_flow": "flows", "delete_sequence": "sequences",
    "delete_webhook": "webhooks", "delete_channel": "channels",
}

# The bodies of these contain a flow's definition, with about 4,000 combinations each. They are parsed in the same way
# for all callers.
DEFINITIONS = {"create_flow", "update_flow", "patch_flow", "validate_flow", "simulate_definition"}

# A caller without rights is rejected before anything else is checked, so a few requests are enough.
REFUSED = ["phases.coverage.enabled = false", "generation.max-examples = 2"]


def may(operation: dict, rights: set[tuple[str, str]]) -> bool:
    """Whether a caller with these rights may use the operation, according to the document."""
    ways = operation.get("security", [])
    return not ways or any((scheme, scope) in rights for way in ways for scheme, scopes in way.items() for scope in scopes)


class Seed:
    def __init__(self, server, name: str):
        self.server, self.name = server, name
        self.workspace = server.new_workspace(name)
        self.key = server.new_key(self.workspace, "full")
        self.owner = server.new_person(self.workspace, "owner")
        self.token = server.sign_in(self.owner)
        found = self.make("first")
        self.parents = {
            "/api/v1/contacts": found["contacts"],
            "/api/v1/tags": found["tags"],
            "/api/v1/custom-fields": found["custom-fields"],
            "/api/v1/bot-fields": found["bot-fields"],
            "/api/v1/conversations": found["conversations"],
            "/api/v1/channels": found["channels"],
            "/api/v1/flows": found["flows"],
            "/api/v1/flow-runs": found["flow-runs"],
            "/api/v1/sequences": found["sequences"],
            "/api/v1/webhooks": found["webhooks"],
            "/platform/workspaces/{ws}/members": self.new_member("first"),
            "/platform/workspaces/{ws}/api-keys": self.new_api_key("first"),
        }
        self.others = {
            "ws": self.workspace, "tag_id": found["tags"], "field_id": found["custom-fields"],
            "sequence_id": found["sequences"], "number": "1", "token": found["inbound"],
        }
        victims = self.make("victim")
        self.victims = {operation: victims[kind] for operation, kind in DELETIONS.items()}
        self.victims |= {"delete_member": self.new_member("victim"), "delete_api_key": self.new_api_key("victim")}
        self.platform("POST", "/sandbox")

    def call(self, method: str, path: str, body=None):
        return self.server.call(method, path, body, self.key)

    def platform(self, method: str, path: str, body=None):
        return self.server.call(method, f"/platform/workspaces/{self.workspace}{path}", body, self.token)

    def new_member(self, name: str) -> str:
        """Creates a member by an accepted invitation. Returns the ID."""
        token = self.invitation(name)
        person = {"name": name, "password": "a long password"}
        return self.server.call("POST", f"/auth/invitations/{token}", person)["id"]

    def invitation(self, name: str) -> str:
        email = f"{name}-{uuid4().hex}@example.com"
        return self.platform("POST", "/members", {"email": email, "role": "viewer"})["invitation_token"]

    def new_api_key(self, name: str) -> str:
        return self.platform("POST", "/api-keys", {"name": name, "scope": "read"})["id"]

    def make(self, name: str) -> dict[str, str]:
        """Creates one object of each type. Returns the IDs by the last segment of the list's path."""
        tag = self.call("POST", "/api/v1/tags", {"name": f"tag {name}"})
        field = self.call("POST", "/api/v1/custom-fields", {"name": f"Field {name}", "type": "text"})
        bot = self.call("POST", "/api/v1/bot-fields", {"name": f"Bot {name}", "type": "number"})
        contact = self.call("POST", "/api/v1/contacts", {
            "email": f"{name}@example.com", "first_name": "Ada", "tags": [tag["id"]], "custom_fields": {field["key"]: "x"},
        })
        flow = self.call("POST", "/api/v1/flows", {"name": f"Flow {name}", "definition": {
            "start": "hi",
            "nodes": [
                {"id": "hi", "type": "send_message", "message": {"type": "text", "text": "Hi"}, "next": "end"},
                {"id": "end", "type": "end"},
            ],
        }})
        self.call("POST", f"/api/v1/flows/{flow['id']}/publish")
        run = self.call("POST", f"/api/v1/contacts/{contact['id']}/start-flow", {"flow_id": flow["id"]})
        sequence = self.call("POST", "/api/v1/sequences", {
            "name": f"Sequence {name}", "status": "active",
            "steps": [{"id": "hello", "delay": "P1D", "action": {"type": "start_flow", "flow_id": flow["id"]}}],
        })
        self.call("POST", f"/api/v1/contacts/{contact['id']}/sequences/{sequence['id']}")
        message = self.call("POST", f"/api/v1/contacts/{contact['id']}/send-message", {"type": "text", "text": "Hello"})
        hook = self.call("POST", "/api/v1/webhooks", {"url": "https://example.com/hook", "events": ["contact.deleted"]})
        channel = self.call("POST", "/api/v1/channels", {"kind": "http", "config": {"url": "https://example.com/out"}})
        return {
            "tags": tag["id"], "custom-fields": field["id"], "bot-fields": bot["id"], "contacts": contact["id"],
            "flows": flow["id"], "flow-runs": run["id"], "sequences": sequence["id"], "webhooks": hook["id"],
            "conversations": message["conversation_id"], "channels": channel["id"],
            "inbound": channel["inbound_path"].removeprefix("/inbound/"),
        }

    def configuration(self, document: dict, rights: set[tuple[str, str]], covered: bool, examples: int) -> str:
        """The configuration of schemathesis: the objects for each operation, and the amount of tests."""
        blocks = [f"generation.max-examples = {examples}\n"]
        for path, item in document["paths"].items():
            for described in (it for it in item.values() if isinstance(it, dict) and "operationId" in it):
                operation = described["operationId"]
                own = self.victims.get(operation) or self.parents.get(path.split("/{id}")[0])
                values = self.others | ({"id": own} if own else {})
                named = {name: value for name, value in values.items() if f"{{{name}}}" in path}
                lines = []
                if named:
                    pairs = ", ".join(f'"path.{name}" = "{value}"' for name, value in named.items())
                    lines.append(f"parameters = {{ {pairs} }}")
                if not may(described, rights):
                    lines += REFUSED
                elif operation in DEFINITIONS and not covered:
                    lines.append("phases.coverage.enabled = false")
                if lines:
                    blocks.append("\n".join(["[[operations]]", f'include-operation-id = "{operation}"', *lines, ""]))
        return "\n".join(blocks)

    @staticmethod
    def post_text(url: str, text: str):
        request = urllib.request.Request(url, data=text.encode(), method="POST")
        urllib.request.urlopen(request, timeout=10).close()
