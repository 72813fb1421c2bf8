// Creates a flow with the types that openapi-typescript made.
import createClient from 'openapi-fetch';
import type { paths } from './schema';

async function main() {
  const [base, key] = process.argv.slice(2);
  const client = createClient<paths>({ baseUrl: base, headers: { Authorization: `Bearer ${key}` } });
  const { data, error } = await client.POST('/api/v1/flows', {
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
