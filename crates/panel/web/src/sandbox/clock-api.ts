import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client';
import { number } from '../i18n/format';

const clockOf = (live: string) => ['sandbox-clock', live];

export function useClock(live: string, enabled = true) {
  return useQuery({
    enabled,
    queryKey: clockOf(live),
    queryFn: ({ signal }) =>
      api.GET('/platform/workspaces/{ws}/sandbox/clock', { params: { path: { ws: live } }, signal }),
    refetchInterval: 15_000,
  });
}

/** Advances the clock. Sends requests until the clock has reached the time. */
export function useMoveClock(live: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (advance: string) => {
      const before = await api.GET('/platform/workspaces/{ws}/sandbox/clock', {
        params: { path: { ws: live } },
      });
      const until = after(before.now, advance);
      for (;;) {
        const clock = await api.POST('/platform/workspaces/{ws}/sandbox/clock', {
          params: { path: { ws: live } },
          body: { until },
        });
        client.setQueryData(clockOf(live), clock);
        if (clock.arrived) return clock;
      }
    },
    // All data of the sandbox may have changed.
    onSettled: () => client.invalidateQueries(),
  });
}

export function useReset(live: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.POST('/platform/workspaces/{ws}/sandbox/reset', { params: { path: { ws: live } } }),
    onSuccess: () => client.invalidateQueries(),
  });
}

const LENGTHS: Record<string, number> = { PT1H: 3_600_000, P1D: 86_400_000, P7D: 604_800_000 };

/** The instant after a duration. */
export function after(instant: string, advance: string): string {
  return new Date(Date.parse(instant) + (LENGTHS[advance] ?? 0)).toISOString();
}

/** Formats the lead of a clock: "2 days, 3 hours". */
export function lead(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  const parts = [
    [Math.floor(minutes / 1_440), 'day'],
    [Math.floor((minutes % 1_440) / 60), 'hour'],
    [minutes % 60, 'minute'],
  ] as const;
  const said = parts.filter(([count]) => count > 0).slice(0, 2);
  return said.map(([count, unit]) => number(count, { style: 'unit', unit, unitDisplay: 'long' })).join(', ');
}
