import { expect, test } from 'vitest';
import type { Definition, Finding } from '../definition';
import { addNode, addTrigger, changeNode } from './edit';
import { itemOf, settled } from './fresh';

const FLOW: Definition = { start: 'end', nodes: [{ id: 'end', type: 'end' }] };
const at = (...pointers: string[]) =>
  pointers.map((pointer) => ({ pointer, severity: 'error', code: 'x', message: 'x' }) as Finding);
const pointers = (found: Finding[]) => found.map((it) => it.pointer);

test('hides findings at unchanged fields of a new node, and shows others', () => {
  const { definition, id } = addNode(FLOW, 'http_request');
  const fresh = { id, blank: itemOf(definition, id) };
  const findings = at('/nodes/0/id', '/nodes/1/url', '/nodes/1/next', '/nodes/1', '/settings');
  expect(pointers(settled(definition, findings, fresh))).toEqual(['/nodes/0/id', '/settings']);
  const changed = changeNode(definition, id, { id, type: 'http_request', method: 'POST', url: 'https://x' });
  expect(pointers(settled(changed, findings, fresh))).toEqual(['/nodes/0/id', '/nodes/1/url', '/settings']);
  expect(settled(definition, findings, undefined)).toBe(findings);
});

test('hides findings at unchanged fields of a new trigger', () => {
  const { definition, id } = addTrigger(FLOW, 'keyword');
  const fresh = { id, blank: itemOf(definition, id) };
  expect(settled(definition, at('/triggers/0/keywords'), fresh)).toEqual([]);
});

test('a new trigger by a referral waits for its reference', () => {
  const { definition, id } = addTrigger(FLOW, 'referral');
  const fresh = { id, blank: itemOf(definition, id) };
  expect(settled(definition, at('/triggers/0/ref'), fresh)).toEqual([]);
  expect(definition.triggers).toEqual([{ type: 'referral', ref: '', match: 'exact' }]);
});
