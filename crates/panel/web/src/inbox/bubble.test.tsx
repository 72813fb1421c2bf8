import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { message } from '../sandbox/testing';
import { serve, show } from '../settings/testing';
import { InboxPage } from './page';
import { inboxAnswers, page } from './testing';

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test('a file at a URL has a link', async () => {
  const attachments = [{ url: 'https://files.example/cat.png', name: 'cat.png', mime_type: null }];
  const received = message({ id: 'm1', direction: 'inbound', type: 'file', text: null, attachments });
  serve(inboxAnswers({ 'GET /api/v1/conversations/conv_1/messages': () => page(received) }));
  show(<InboxPage />, { path: '/inbox/conv_1', route: '/inbox/{-$conversation}' });
  const thread = within(await screen.findByRole('log', { name: 'Messages' }));
  expect((await thread.findByRole('link', { name: 'cat.png' })).getAttribute('href')).toBe(
    'https://files.example/cat.png',
  );
});
