import { expect, test } from 'vitest';
import { inLanguage } from '../i18n/testing';
import { texts } from '../i18n/texts';
import { ACTIONS } from './actions';
import { describeAction } from './describe-action';
import { actionsOf, filtersOf, isFiltered, readAuditSearch } from './search';

const t = texts('audit');

test('reads an address, and ignores unknown values', () => {
  const known = { type: 'tag', action: 'tag.updated', object: 'tag_1', actor: 'system', from: '2026-01-31' };
  expect(readAuditSearch({ ...known, open: 'audit_1' })).toMatchObject({ ...known, open: 'audit_1' });
  const unknown = { type: 'cloud', action: 'tag.eaten', from: 'yesterday', to: '2026-99-99', object: '' };
  expect(Object.values(readAuditSearch(unknown)).every((it) => it === undefined)).toBe(true);
});

test('includes the whole last day, and an open entry is not a filter', () => {
  const { from, to } = filtersOf({ from: '2026-01-31', to: '2026-01-31' });
  expect(Date.parse(to ?? '') - Date.parse(from ?? '')).toBe(86_400_000);
  expect(isFiltered({ open: 'audit_1' })).toBe(false);
  expect(isFiltered({ actor: 'system' })).toBe(true);
});

test('lists the actions of a type, and describes them in words', () => {
  expect(actionsOf('sandbox')).toEqual(['sandbox.created', 'sandbox.reset']);
  expect(describeAction('api_key.revoked')).toBe('API key: revoked');
  expect(describeAction('member.role_changed')).toBe('Member: role changed');
  expect(describeAction('custom_field')).toBe('Custom field');
});

test('each type and action has a text', async () => {
  await inLanguage('de', () => {
    expect(describeAction('webhook.secret_rotated')).toBe('Webhook: Geheimnis rotiert');
    const missing = Object.entries(ACTIONS).flatMap(([type, verbs]) => [
      ...(t.find('types', type) ? [] : [type]),
      ...verbs.filter((verb) => !t.find('verbs', verb)),
    ]);
    expect(missing).toEqual([]);
  });
});
