import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { counts } from '../inbox/testing';
import { serve, show } from '../settings/testing';
import { Attention } from './attention';

const page = (...data: unknown[]) => ({ data, next_cursor: null, total: data.length });

function answer(waiting: number) {
  serve({
    'GET /api/v1/channels': () => page(),
    'GET /api/v1/jobs': () => page(),
    'GET /api/v1/flows': () => page(),
    'GET /api/v1/conversations/counts': () => counts({ open: 9, waiting }),
  });
}

test('members see how many conversations have no reply, with a link to them', async () => {
  answer(2);
  show(<Attention />, { role: 'member' });
  const link = await screen.findByRole('link', { name: /2 conversations have no reply/ });
  expect(link.getAttribute('href')).toBe('/inbox?view=waiting');
});

test('if each conversation has a reply, nothing needs attention', async () => {
  answer(0);
  show(<Attention />, { role: 'member' });
  await screen.findByText(/^Nothing needs attention\./);
});
