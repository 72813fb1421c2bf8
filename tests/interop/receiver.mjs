// Receives deliveries and verifies each with the published `standardwebhooks` and `stripe` libraries. Prints
// its port, then a line of JSON for each delivery, like receiver.py.

import { createServer } from "node:http";
import { createRequire } from "node:module";

// The libraries are in the given folder and not beside this file.
const require = createRequire(`${process.argv[2]}/receiver.cjs`);
const { Webhook } = require("standardwebhooks");
const Stripe = require("stripe");
const stripe = new (Stripe.default ?? Stripe)("sk_test_unused");

let secret;

function verified(body, headers) {
  const attempts = {
    standardwebhooks: () => new Webhook(secret).verify(body, headers),
    stripe: () => stripe.webhooks.signature.verifyHeader(body, headers["x-service-signature"], secret, 300),
  };
  return Object.entries(attempts).flatMap(([library, verify]) => {
    try {
      verify();
      return [library];
    } catch {
      return [];
    }
  });
}

const server = createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  const body = Buffer.concat(parts).toString();
  if (request.url === "/secret") {
    secret = body;
  } else {
    const event = JSON.parse(body);
    const changed = body.replace('"type"', '"typo"');
    console.log(
      JSON.stringify({
        id: event.id,
        type: event.type,
        verified_by: verified(body, request.headers),
        refused_when_changed: verified(changed, request.headers).length === 0,
      }),
    );
  }
  response.writeHead(204).end();
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
