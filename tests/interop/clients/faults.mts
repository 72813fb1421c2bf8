// Checks the TypeScript client under faults. FAULTS is the proxy, TIDINGS the server, CLOSED an address without a
// server. KEY and READ_KEY are keys.
import assert from 'node:assert/strict';
import { ApiError, type Contact, Tidings, TidingsError, Unreachable } from 'tidings-client';

const { FAULTS: faults = '', TIDINGS: url = '', KEY: key = '', READ_KEY: readKey = '', CLOSED: closed = '' } = process.env;
const direct = new Tidings({ url, key });
const behind = (script: string) => new Tidings({ url: `${faults}/${script}-ts`, key });

interface Logged {
  script: string;
  verb: string;
  path: string;
  key: string | null;
}

async function requests(script: string): Promise<Logged[]> {
  const log = (await new Tidings({ url: faults, key }).request('GET', '/log')) as Logged[];
  return log.filter((one) => one.script === `${script}-ts`);
}

async function raised(call: Promise<unknown>): Promise<TidingsError> {
  const error: unknown = await call.then(() => assert.fail('the call succeeded'), (reason: unknown) => reason);
  assert(error instanceof TidingsError, String(error));
  return error;
}

async function refused(call: Promise<unknown>): Promise<ApiError> {
  const error = await raised(call);
  assert(error instanceof ApiError, String(error));
  return error;
}

async function all<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const found = [];
  for await (const row of rows) found.push(row);
  return found;
}

async function lostResponses() {
  assert.deepEqual((await behind('cut-get').contacts.list()).data, []);
  const made: Contact = await behind('cut-post').contacts.create({ external_id: 'cut', tags: ['lost'] });
  const [first, second] = await requests('cut-post');
  assert(first?.key && first.key === second?.key, 'one key for both attempts');

  await behind('cut-message').contacts.sendMessage(made.id, { type: 'text', text: 'Hello' });
  for (const conversation of await all(direct.conversations.each({ contact_id: made.id }))) {
    assert.equal((await all(direct.conversations.messages.each(conversation.id))).length, 1, 'sent once');
  }
  assert.equal((await behind('cut-put').contacts.update(made.id, { first_name: 'Lin' })).first_name, 'Lin');
  assert.equal((await behind('cut-patch').contacts.patch(made.id, { last_name: 'Lee' })).last_name, 'Lee');
  const search = behind('cut-search').contacts.searchEach({ filter: { field: 'tags', op: 'has', value: 'lost' } });
  assert.deepEqual((await all(search)).map((one) => one.id), [made.id]);

  const { version } = await direct.contacts.get(made.id);
  const error = await refused(behind('cut-version').contacts.patch(made.id, { locale: 'de' }, { ifVersion: version }));
  assert.deepEqual([error.status, error.code, error.mayHaveApplied], [412, 'precondition_failed', true]);
  assert.equal((await direct.contacts.get(made.id)).locale, 'de');
  const stale = await refused(direct.contacts.patch(made.id, { locale: 'fr' }, { ifVersion: version }));
  assert.deepEqual([stale.status, stale.mayHaveApplied], [412, false]);
  const changed = await direct.contacts.patch(made.id, { locale: 'fr' }, { ifVersion: version + 1 });
  assert.equal(changed.version, version + 2);

  await behind('cut-delete').contacts.delete(made.id);
  assert.deepEqual((await requests('cut-delete')).map((one) => one.verb), ['DELETE', 'DELETE']);
  assert.equal((await refused(direct.contacts.delete(made.id))).status, 404, 'the first 404 is an error');

  const gone = (await direct.contacts.create({ external_id: 'gone' })).id;
  await behind('unknown-delete').contacts.delete(gone);
  const missing = await refused(behind('away-delete').contacts.delete(gone));
  assert.equal(missing.status, 404, '503 `unavailable` changed nothing');

  const unkeyed = await raised(behind('cut-unkeyed').request('POST', '/api/v1/tags', { body: { name: 'unkeyed' } }));
  assert(unkeyed instanceof Unreachable && unkeyed.mayHaveApplied && unkeyed.idempotencyKey === undefined);
  assert.equal((await requests('cut-unkeyed')).length, 1, 'never repeated');
  assert.notDeepEqual((await behind('half-get').tags.list()).data, []);
}

async function refusals() {
  let start = performance.now();
  const elapsed = () => (performance.now() - start) / 1000;
  await behind('limited-unkeyed').request('POST', '/api/v1/tags', { body: { name: 'later' } });
  assert(elapsed() >= 1 && elapsed() < 5 && (await requests('limited-unkeyed')).length === 2);
  await behind('away-post').tags.create({ name: 'away' });
  await behind('unknown-post').tags.create({ name: 'unknown' });
  for (const script of ['away-post', 'unknown-post']) {
    const [first, second] = await requests(script);
    assert(first?.key && first.key === second?.key, 'the same key');
  }

  const once = new Tidings({ url: `${faults}/unknown-once-ts`, key, retries: 0 });
  const error = await refused(once.tags.create({ name: 'once' }));
  assert(error.code === 'outcome_unknown' && error.mayHaveApplied && error.idempotencyKey);
  const tag = await once.tags.create({ name: 'once' }, { idempotencyKey: error.idempotencyKey });
  assert.equal((await direct.tags.get(tag.id)).name, 'once');

  start = performance.now();
  const late = await refused(behind('later-deadline').contacts.list(undefined, { deadline: 5_000 }));
  assert(late.code === 'rate_limited' && late.retryAfter === 30_000);
  assert(elapsed() < 1 && (await requests('later-deadline')).length === 1);
  const stop = new AbortController();
  setTimeout(() => stop.abort(new Error('stopped')), 200);
  await assert.rejects(behind('later-cancel').tags.create({ name: 'no' }, { signal: stop.signal }), /stopped/);
  const timeout = { signal: AbortSignal.timeout(200) };
  await assert.rejects(behind('later-timeout').contacts.list(undefined, timeout), { name: 'TimeoutError' });
  assert(elapsed() < 3);
  const nobody = await raised(new Tidings({ url: closed, key, retries: 1 }).tags.create({ name: 'nobody' }));
  assert(nobody instanceof Unreachable && !nobody.mayHaveApplied && nobody.idempotencyKey);
}

async function problems() {
  const ada = await direct.contacts.create({ email: 'ada@example.com' });
  const error = await refused(direct.contacts.create({ email: 'ada@example.com' }));
  assert.deepEqual([error.code, error.existingId, error.mayHaveApplied], ['contact_exists', ada.id, false]);
  assert(error.problem.existing_id === ada.id && error.requestId && error.title && error.detail);
  const other = await direct.contacts.create({ external_id: 'other' });
  await direct.contacts.merge(other.id, { into: ada.id });
  assert.equal((await refused(direct.contacts.patch(other.id, { locale: 'de' }))).mergedInto, ada.id);
  const reader = new Tidings({ url, key: readKey });
  assert.equal((await refused(reader.tags.create({ name: 'no' }))).requiredScope, 'write');
  for (const number of [0, 1, 2]) await direct.contacts.create({ external_id: `page-${number}` });
  assert.equal((await all(behind('pass-each').contacts.each({ subscribed: true }))).length, 4);
  assert.equal((await requests('pass-each'))[0]?.path, '/api/v1/contacts?limit=100&subscribed=true');
}

await lostResponses();
await refusals();
await problems();
console.log('the TypeScript client repeats what is safe, and stops when it must');
