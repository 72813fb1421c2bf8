"""Creates a flow with the generated client."""

import json
import sys
from pathlib import Path

from generated_client import AuthenticatedClient
from generated_client.api.flows import create_flow
from generated_client.models import CreateFlow, Flow

base, key = sys.argv[1:]
body = CreateFlow.from_dict(json.loads((Path(__file__).parent / "flow.json").read_text()))
flow = create_flow.sync(client=AuthenticatedClient(base_url=base, token=key), body=body)
assert isinstance(flow, Flow), flow
print(flow.id)
