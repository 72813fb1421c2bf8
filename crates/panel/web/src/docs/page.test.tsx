import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { inLanguage } from '../i18n/testing';
import { serve, show } from '../settings/testing';
import { Docs } from './page';

// The reference is a separate script, which jsdom does not load.
vi.mock('./reference', () => ({ loadReference: () => new Promise(() => undefined) }));

test('a member is asked to paste a key', async () => {
  serve({});
  show(<Docs />, { role: 'member' });
  expect(await screen.findByText(/paste a key under Authentication/)).toBeTruthy();
});

test('the API docs are in German, too', async () => {
  serve({});
  await inLanguage('de', async () => {
    show(<Docs />, { at: { sandbox: undefined } });
    expect(await screen.findByRole('heading', { name: 'API-Dokumentation' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Sandbox erstellen' })).toBeTruthy();
  });
});
