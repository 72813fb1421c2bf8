import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { inLanguage } from '../i18n/testing';
import { LIVE, show } from '../settings/testing';
import { Lost } from './lost';

const at = LIVE.created_at;

test('deleted objects have a German type and German quotation marks', () =>
  inLanguage('de', async () => {
    const references = [
      { type: 'custom_field', name: 'Tarif', at },
      { type: 'option', name: 'Gold', at },
    ];
    show(<Lost references={references}>Gelöscht:</Lost>);
    expect((await screen.findByRole('status')).textContent).toBe(
      'Gelöscht: benutzerdefiniertes Feld „Tarif“, Option „Gold“',
    );
  }));

test('shows the API name of a type without a text', async () => {
  show(<Lost references={[{ type: 'saved_view', name: 'VIP', at }]}>Deleted:</Lost>);
  expect((await screen.findByRole('status')).textContent).toBe('Deleted: saved view “VIP”');
});

const member = { type: 'member', name: 'user_1', at };
const left = 'These members left the workspace, but are still named here: user_1.';

test('members who left have a sentence of their own', async () => {
  show(<Lost references={[member]}>Deleted:</Lost>);
  expect((await screen.findByRole('status')).textContent).toBe(left);
});

test('members who left are named after deleted objects', async () => {
  show(<Lost references={[{ type: 'tag', name: 'VIP', at }, member]}>Deleted:</Lost>);
  expect((await screen.findByRole('status')).textContent).toBe(`Deleted: tag “VIP”${left}`);
});
