import { useQuery } from '@tanstack/react-query';
import { apiIn } from '../api/client';
import type { components } from '../api/schema';

export type Replies = components['schemas']['AnalyticsReplies'];
export type Durations = components['schemas']['ReplyDurations'];

/** The reply times of a range. Without a range, nothing is requested. */
export function useReplies(ws: string, range: { from: string; to: string } | undefined) {
  return useQuery({
    queryKey: ['reply-times', ws, range?.from, range?.to],
    enabled: range !== undefined,
    queryFn: ({ signal }) => apiIn(ws).GET('/api/v1/analytics/replies', { params: { query: range }, signal }),
    placeholderData: (before) => before,
    refetchInterval: 60_000,
  });
}
