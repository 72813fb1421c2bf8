import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { serve, show } from '../settings/testing';
import { Channels } from './page';
import { CHANNEL, list, PATH, served } from './testing';

const ROTATE = `POST ${PATH}/chan_1/rotate-secret`;

test('rotates the secret of an http channel and shows the new one', async () => {
  const bodies: unknown[] = [];
  const rotated = (body: unknown) => {
    bodies.push(body);
    return { ...CHANNEL, secret: 'whsec_new' };
  };
  serve({ ...served, [ROTATE]: rotated });
  show(<Channels />, { path: '/?channel=chan_1' });
  const user = userEvent.setup();
  const channel = within(await screen.findByRole('dialog', { name: 'Support chat' }));
  await user.click(await channel.findByRole('button', { name: 'Rotate the secret' }));
  const asked = within(await screen.findByRole('dialog', { name: 'Rotate the secret' }));
  await user.click(asked.getByRole('button', { name: 'Create new secret' }));
  expect(await screen.findByText('whsec_new')).toBeTruthy();
  expect(bodies).toEqual([{ overlap: 'PT24H' }]);
});

test('offers no rotation for channels without a signing secret', async () => {
  const bot = { ...CHANNEL, kind: 'telegram' };
  serve({ ...served, [`GET ${PATH}`]: () => list([bot]) });
  show(<Channels />, { path: '/?channel=chan_1' });
  expect(await screen.findByRole('button', { name: 'Disconnect' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Rotate the secret' })).toBeNull();
});
