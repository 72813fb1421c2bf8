import { expect, test } from 'vitest';
import { channelsOfFlow, channelsOfSteps, connectSearch, sandboxesInUse } from './sandbox-use';

const live = { live_workspace_id: null };
const sandbox = { id: 'chan_box', kind: 'sandbox', name: 'Sandbox', is_default: true } as const;
const web = { id: 'chan_web', kind: 'http', name: 'Web', is_default: false } as const;
const text = (channel_id?: string) => ({ type: 'text' as const, text: 'Hi', channel_id });

test('finds sandbox channels that are named, or used by default', () => {
  expect(sandboxesInUse(live, [sandbox, web], [null])).toEqual([sandbox]);
  expect(sandboxesInUse(live, [sandbox, web], ['chan_box'])).toEqual([sandbox]);
  expect(sandboxesInUse(live, [sandbox, web], ['chan_web'])).toEqual([]);
  expect(sandboxesInUse(live, [sandbox, web], [])).toEqual([]);
  const other = { ...sandbox, is_default: false };
  expect(sandboxesInUse(live, [other, { ...web, is_default: true }], [null])).toEqual([]);
});

test('finds nothing in a sandbox workspace', () => {
  expect(sandboxesInUse({ live_workspace_id: 'ws_live' }, [sandbox], [null, 'chan_box'])).toEqual([]);
});

test('opens the form of a new channel if no channel reaches contacts', () => {
  expect(connectSearch([sandbox], true)).toEqual({ create: true });
  expect(connectSearch([sandbox], false)).toEqual({});
  expect(connectSearch([sandbox, web], true)).toEqual({});
});

test('reads the channels of all messages of a flow', () => {
  const nodes = [
    { id: 'a', type: 'send_message' as const, message: text('chan_web') },
    { id: 'b', type: 'ask' as const, message: text('chan_web'), invalid_message: text() },
    { id: 'c', type: 'end' as const },
  ];
  expect(channelsOfFlow({ nodes })).toEqual(['chan_web', null]);
  expect(channelsOfFlow({ nodes: [{ id: 'c', type: 'end' }] })).toEqual([]);
});

test('reads the channels on which a keyword starts a flow', () => {
  const triggers = [
    { type: 'keyword' as const, keywords: ['repair'], channel_ids: ['chan_box', 'chan_web'] },
    { type: 'keyword' as const, keywords: ['hours'] },
    { type: 'referral' as const, ref: 'spring' },
  ];
  expect(channelsOfFlow({ nodes: [], triggers })).toEqual(['chan_box', 'chan_web']);
});

test('reads the channels of all messages of a sequence', () => {
  expect(
    channelsOfSteps([
      { action: { type: 'send_message', message: text('chan_box') } },
      { action: { type: 'start_flow', flow_id: 'flow_1' } },
    ]),
  ).toEqual(['chan_box']);
});
