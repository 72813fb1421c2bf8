import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { message } from '../../sandbox/testing';
import { type Answers, serve, show } from '../../settings/testing';
import { Inbox } from '../page';
import { inboxAnswers, page } from '../testing';
import { mapOf } from './attachments';
import type { Attachment } from './media';
import { seeAll } from './testing';

const FILE = '/api/v1/media/media_1';
const held = (but: Partial<Attachment>): Attachment => ({
  media_id: 'media_1',
  url: FILE,
  name: 'cat.png',
  mime_type: 'image/png',
  ...but,
});
const bytes = (type: string) => new Response('abc', { headers: { 'Content-Type': type } });

/** Opens a conversation with one message that has these attachments. */
async function open(attachments: Attachment[], answers: Answers = {}) {
  const shown = seeAll();
  const received = message({ id: 'm1', direction: 'inbound', type: 'file', text: null, attachments });
  const { asked } = serve(
    inboxAnswers({ 'GET /api/v1/conversations/conv_1/messages': () => page(received), ...answers }),
  );
  show(<Inbox open="conv_1" />);
  return { shown, asked, thread: within(await screen.findByRole('log', { name: 'Messages' })) };
}

test('reads a picture with the token, and shows a thumbnail', async () => {
  const tokens: (string | null)[] = [];
  const { thread } = await open([held({})], {
    [`GET ${FILE}`]: (_, request) => {
      tokens.push(request.headers.get('Authorization'));
      return bytes('image/png');
    },
  });
  const picture = await thread.findByRole('img', { name: 'cat.png' });
  expect(picture.getAttribute('src')).toMatch(/^blob:/);
  expect(tokens).toEqual(['Bearer token']);
  await userEvent.click(thread.getByRole('button', { name: 'Enlarge cat.png' }));
  expect(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Download' })).toBeTruthy();
});

test('shows the status of failed and pending files, and does not request them', async () => {
  const { thread, asked } = await open([
    held({ status: 'pending', name: null }),
    held({ status: 'failed', error: 'too_large', name: 'film.mp4', mime_type: 'video/mp4' }),
    held({ status: 'failed', error: 'new_code', name: 'b.pdf' }),
  ]);
  expect(await thread.findByText('Attachment is being fetched …')).toBeTruthy();
  expect(thread.getByText('film.mp4: The file is too large.')).toBeTruthy();
  expect(thread.getByText('b.pdf: The file could not be fetched.')).toBeTruthy();
  expect(asked.filter((it) => it.endsWith(FILE))).toEqual([]);
});

test('never previews an unsafe type, and downloads a file without a type', async () => {
  const types = ['image/svg+xml', 'text/html', 'application/pdf', 'image/heic'];
  const unsafe = types.map((mime_type) => held({ mime_type, name: mime_type }));
  const { thread, asked, shown } = await open(unsafe, {
    [`HEAD ${FILE}`]: () => new Response(null, { headers: { 'Content-Length': '1234' } }),
    [`GET ${FILE}`]: () => bytes('text/html'),
  });
  const link = await thread.findByRole('button', { name: 'Download text/html' });
  await waitFor(() => expect(link.textContent).toContain('1.2 kB'));
  expect(asked).not.toContain(`GET ${FILE}`);
  expect(thread.queryByRole('img')).toBeNull();
  const clicks: HTMLAnchorElement[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    clicks.push(this);
  });
  await userEvent.click(link);
  await waitFor(() => expect(clicks.map((it) => [it.download, it.rel])).toEqual([['text/html', 'noopener']]));
  expect(shown.map((it) => it.type)).toEqual(['application/octet-stream']);
});

test('does not show a file with a false type', async () => {
  const { thread, shown } = await open([held({})], { [`GET ${FILE}`]: () => bytes('text/html') });
  expect(await thread.findByRole('button', { name: 'Download cat.png' })).toBeTruthy();
  expect(thread.getByText('The picture cannot be shown here.')).toBeTruthy();
  expect(shown).toEqual([]);
});

test('requests a recording when it is played', async () => {
  const { thread, asked } = await open([held({ name: 'voice.ogg', mime_type: 'audio/ogg; codecs=opus' })], {
    [`GET ${FILE}`]: () => bytes('audio/ogg'),
  });
  const play = await thread.findByRole('button', { name: 'Play voice.ogg' });
  expect(asked).not.toContain(`GET ${FILE}`);
  await userEvent.click(play);
  const player = await thread.findByLabelText('voice.ogg');
  expect([player.tagName, player.getAttribute('src')?.slice(0, 5)]).toEqual(['AUDIO', 'blob:']);
});

test('links a location to a map in a new tab', async () => {
  const { thread } = await open([{ url: 'geo:52.5163,13.3777;u=10', name: null, mime_type: null }]);
  const link = await thread.findByRole('link', { name: 'Show the place on a map' });
  expect(link.getAttribute('href')).toContain('mlat=52.5163&mlon=13.3777');
  expect([link.getAttribute('target'), link.getAttribute('rel')]).toEqual([
    '_blank',
    'noreferrer noopener nofollow',
  ]);
});

test('links only a valid location to a map', () => {
  for (const wrong of ['geo:', 'geo:91,0', 'geo:1,181', 'geo:1,2&x=3', 'https://a.example']) {
    expect(mapOf(wrong), wrong).toBeUndefined();
  }
  expect(mapOf('geo:-1,2')).toContain('mlat=-1&mlon=2');
});
