import { useInfiniteQuery } from '@tanstack/react-query';
import { listIn } from '../api/lists';
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
    ...listIn(ws, ['broadcast-recipients', ws, id, status], '/api/v1/broadcasts/{id}/recipients', {
      query: { status, limit: 50 },
      path: { id },
    }),
    placeholderData: (before) => before,
    refetchInterval: isMoving(sent) ? OFTEN : false,
  });
}
