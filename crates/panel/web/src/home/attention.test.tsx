import { screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { inLanguage } from '../i18n/testing';
import { conversation } from '../inbox/testing';
import { serve, show } from '../settings/testing';
import { Attention } from './attention';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const page = (...data: unknown[]) => ({ data, next_cursor: null, total: data.length });
const waiting = conversation({ waiting_since: '2026-01-01T10:00:00.000Z' });

function answer(...conversations: unknown[]) {
  serve({
    'GET /api/v1/channels': () => page(),
    'GET /api/v1/jobs': () => page(),
    'GET /api/v1/flows': () => page(),
    'GET /api/v1/conversations': () => page(...conversations),
  });
}

test('members see how many conversations have no reply, with a link to them', async () => {
  answer(waiting, waiting, conversation({}));
  show(<Attention />, { role: 'member' });
  const link = await screen.findByRole('link', { name: /2 conversations have no reply/ });
  expect(link.getAttribute('href')).toBe('/inbox?view=waiting');
});

test('if each conversation has a reply, nothing needs attention', async () => {
  answer(conversation({}));
  show(<Attention />, { role: 'member' });
  await screen.findByText(/^Nothing needs attention\./);
});

test('conversations without a reply are in German', () =>
  inLanguage('de', async () => {
    answer(waiting);
    show(<Attention />, { role: 'member' });
    expect(await screen.findByRole('link', { name: /1 Unterhaltung ist ohne Antwort/ })).toBeTruthy();
  }));
