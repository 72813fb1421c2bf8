import { useInfiniteQuery } from '@tanstack/react-query';
import { apiIn, value } from '../api/client';
import { pages } from '../api/pages';
import type { components } from '../api/schema';
import type { Tone } from '../components/status';
import { type Broadcast, isMoving } from './draft';

export type Recipient = components['schemas']['BroadcastRecipient'];
export type RecipientStatus = components['schemas']['RecipientStatus'];

export const RECIPIENT_TONES: Record<RecipientStatus, Tone> = {
  waiting: 'wait',
  queued: 'wait',
  sent: 'ok',
  failed: 'bad',
  suppressed: 'off',
  uncertain: 'wait',
};

/** The refresh interval for the recipients of a running broadcast, in milliseconds. */
const OFTEN = 5_000;

/** Lists the recipients of a broadcast, optionally with one status, newest contacts first. */
export function useRecipients(ws: string, { id, status: sent }: Broadcast, status?: RecipientStatus) {
  return useInfiniteQuery({
    ...pages(['broadcast-recipients', ws, id, status], (cursor, signal) =>
      value(
        apiIn(ws).GET('/api/v1/broadcasts/{id}/recipients', {
          params: { path: { id }, query: { status, limit: 50, cursor } },
          signal,
        }),
      ),
    ),
    placeholderData: (before) => before,
    refetchInterval: isMoving(sent) ? OFTEN : false,
  });
}
