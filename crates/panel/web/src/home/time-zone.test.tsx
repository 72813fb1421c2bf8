import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { inLanguage } from '../i18n/testing';
import { LIVE, serve, show } from '../settings/testing';
import { offeredZone } from './offered-zone';
import TimeZoneOffer from './time-zone';

test('offers the time zone of the browser only to a workspace in UTC', () => {
  expect(offeredZone('UTC', 'Europe/Berlin')).toBe('Europe/Berlin');
  expect(offeredZone('UTC', 'Etc/UTC')).toBeUndefined();
  expect(offeredZone('UTC', undefined)).toBeUndefined();
  expect(offeredZone('Europe/Vienna', 'Europe/Berlin')).toBeUndefined();
});

test('saves the time zone on the version that was read last', async () => {
  const saved = vi.fn();
  const tagged = () => Response.json(LIVE, { headers: { ETag: '"1-a"' } });
  serve({
    'GET /platform/workspaces/ws_live': tagged,
    'PATCH /platform/workspaces/ws_live': (body, request) => {
      saved(body, request.headers.get('If-Match'));
      return tagged();
    },
  });
  show(<TimeZoneOffer workspace={LIVE.id} zone="Europe/Berlin" onKeep={() => undefined} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Use Europe/Berlin' }));
  await waitFor(() => expect(saved).toHaveBeenCalledExactlyOnceWith({ time_zone: 'Europe/Berlin' }, '"1-a"'));
});

test('asks in German, and can keep UTC', () =>
  inLanguage('de', async () => {
    const keep = vi.fn();
    show(<TimeZoneOffer workspace={LIVE.id} zone="Europe/Berlin" onKeep={keep} />);
    expect(await screen.findByRole('heading', { name: /Europe\/Berlin/ })).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'UTC behalten' }));
    expect(keep).toHaveBeenCalledOnce();
  }));
