"""A few objects of each kind, so that generated requests find something."""

import urllib.request


class Estate:
    def __init__(self, server, name: str):
        call = server.call
        tag = call("POST", "/api/v1/tags", {"name": f"tag {name}"})
        field = call("POST", "/api/v1/custom-fields", {"name": f"Field {name}", "type": "text"})
        bot = call("POST", "/api/v1/bot-fields", {"name": f"Bot {name}", "type": "number"})
        contact = call("POST", "/api/v1/contacts", {
            "email": f"{name}@example.com", "first_name": "Ada", "tags": [tag["id"]], "custom_fields": {field["key"]: "x"},
        })
        flow = call("POST", "/api/v1/flows", {"name": f"Flow {name}", "definition": {
            "start": "hi",
            "nodes": [
                {"id": "hi", "type": "send_message", "message": {"type": "text", "text": "Hi"}, "next": "end"},
                {"id": "end", "type": "end"},
            ],
        }})
        call("POST", f"/api/v1/flows/{flow['id']}/publish")
        run = call("POST", f"/api/v1/contacts/{contact['id']}/start-flow", {"flow_id": flow["id"]})
        message = call("POST", f"/api/v1/contacts/{contact['id']}/send-message", {"type": "text", "text": "Hello"})
        hook = call("POST", "/api/v1/webhooks", {"url": "https://example.com/hook", "events": ["contact.deleted"]})
        self.ids = {
            "/api/v1/contacts/{id}": contact["id"],
            "/api/v1/tags/{id}": tag["id"],
            "/api/v1/custom-fields/{id}": field["id"],
            "/api/v1/bot-fields/{id}": bot["id"],
            "/api/v1/conversations/{id}": message["conversation_id"],
            "/api/v1/flows/{id}": flow["id"],
            "/api/v1/flow-runs/{id}": run["id"],
            "/api/v1/webhooks/{id}": hook["id"],
        }
        self.others = {"tag_id": tag["id"], "field_id": field["id"]}

    def parameters(self) -> str:
        """A configuration that names the objects for the operations on them."""
        blocks = []
        for path, found in self.ids.items():
            pattern = "^" + path.replace("{", "\\\\{").replace("}", "\\\\}")
            names = {"path.id": found} | {f"path.{name}": it for name, it in self.others.items()}
            values = ", ".join(f'"{name}" = "{value}"' for name, value in names.items())
            blocks.append(f'[[operations]]\ninclude-path-regex = "{pattern}"\nparameters = {{ {values} }}\n')
        return "\n".join(blocks)

    @staticmethod
    def post_text(url: str, text: str):
        request = urllib.request.Request(url, data=text.encode(), method="POST")
        urllib.request.urlopen(request, timeout=10).close()
