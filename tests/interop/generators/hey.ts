// Creates a flow with the client that @hey-api/openapi-ts made.
import { createClient } from './hey/client';
import { createFlow } from './hey/sdk.gen';

async function main() {
  const [base, key] = process.argv.slice(2);
  const client = createClient({ baseUrl: base, auth: key });
  const { data, error } = await createFlow({
    client,
    body: {
      name: 'Greeting',
      definition: {
        start: 'hello',
        nodes: [
          { id: 'hello', type: 'send_message', message: { type: 'text', text: 'Hello' }, next: 'end' },
          { id: 'end', type: 'end' },
        ],
      },
    },
  });
  if (!data) throw new Error(JSON.stringify(error));
  console.log(data.id);
}

void main();
