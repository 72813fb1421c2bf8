import { expect, test } from 'vitest';
import { actionsOf, filtersOf, inWords, isFiltered, readAuditSearch } from './search';

test('an address is read, and what it does not know is left out', () => {
  const known = { type: 'tag', action: 'tag.updated', object: 'tag_1', actor: 'system', from: '2026-01-31' };
  expect(readAuditSearch({ ...known, open: 'audit_1' })).toMatchObject({ ...known, open: 'audit_1' });
  const unknown = { type: 'cloud', action: 'tag.eaten', from: 'yesterday', to: '2026-99-99', object: '' };
  expect(Object.values(readAuditSearch(unknown)).every((it) => it === undefined)).toBe(true);
});

test('the last day is a whole one, and one entry that is open is no filter', () => {
  const { from, to } = filtersOf({ from: '2026-01-31', to: '2026-01-31' });
  expect(Date.parse(to ?? '') - Date.parse(from ?? '')).toBe(86_400_000);
  expect(isFiltered({ open: 'audit_1' })).toBe(false);
  expect(isFiltered({ actor: 'system' })).toBe(true);
});

test('actions are those of a kind, and are told in words', () => {
  expect(actionsOf('sandbox')).toEqual(['sandbox.created', 'sandbox.reset']);
  expect(inWords('api_key.revoked')).toBe('API key: revoked');
  expect(inWords('member.role_changed')).toBe('Member: role changed');
  expect(inWords('custom_field')).toBe('Custom field');
});
