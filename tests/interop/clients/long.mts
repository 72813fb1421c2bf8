// Runs 2,000 upserts and 1,000 PATCHes above the limit of the plan. KEY belongs to a workspace with the plan Business,
// SLOW_KEY to one with Starter.
import assert from 'node:assert/strict';
import { Tidings } from 'tidings-client';

const { TIDINGS: url = '', KEY: key = '', SLOW_KEY: slowKey = '' } = process.env;
const seconds = (start: number) => Math.round((performance.now() - start) / 1000);

async function upsert() {
  const start = performance.now();
  const tidings = new Tidings({ url, key });
  let next = 0;
  const worker = async () => {
    while (next < 2000) {
      const number = next++;
      const contact = { external_id: `c-${number % 1500}`, first_name: `N${number}` };
      await tidings.contacts.create(contact, { on_conflict: 'update', key: 'external_id' });
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  let found = 0;
  for await (const _ of tidings.contacts.each()) found += 1;
  assert.equal(found, 1500);
  console.log(`TypeScript: 2,000 upserts of 1,500 contacts in ${seconds(start)} s`);
}

async function patch() {
  const start = performance.now();
  const tidings = new Tidings({ url, key: slowKey });
  const made = await tidings.contacts.create({ external_id: 'slow' });
  for (let number = 0; number < 1000; number += 1) {
    await tidings.contacts.patch(made.id, { first_name: `N${number}` }, { ifVersion: made.version + number });
  }
  const found = await tidings.contacts.get(made.id);
  assert.deepEqual([found.first_name, found.version], ['N999', made.version + 1000]);
  assert(seconds(start) > 55, 'the limit was not reached');
  console.log(`TypeScript: 1,000 PATCHes beyond 600 a minute in ${seconds(start)} s`);
}

await upsert();
await patch();
