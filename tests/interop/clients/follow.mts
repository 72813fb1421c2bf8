// Follows the feed and the stream during a restart of the server. The contact `before` comes first, then `after`.
import assert from 'node:assert/strict';
import { type FeedEvent, Tidings } from 'tidings-client';

const tidings = new Tidings({ url: process.env.TIDINGS ?? '', key: process.env.KEY ?? '' });
let waiting = 2;

async function* streamed(): AsyncGenerator<FeedEvent> {
  for await (const message of tidings.stream(0)) if (message.type === 'event') yield message.event;
}

/** Checks that every event comes once, in order. */
async function read(name: string, events: AsyncIterable<FeedEvent>) {
  let position = 0;
  for await (const event of events) {
    assert.equal(event.position, position + 1, name);
    position = event.position;
    if (event.type !== 'contact.created') continue;
    const contact = (event.data as { object: { external_id: string } }).object.external_id;
    if (contact === 'before' && --waiting === 0) console.log('before');
    if (contact === 'after') return console.log(`${name}: ${position} events`);
  }
}

await Promise.all([read('follow', tidings.events.follow(0, { every: 100 })), read('stream', streamed())]);
