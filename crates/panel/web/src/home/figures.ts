import type { Histogram } from './api';

type Bucket = Histogram['data'][number];

export function sums(buckets: Bucket[]) {
  return buckets.reduce(
    (all, it) => ({
      requests: all.requests + it.requests,
      clientErrors: all.clientErrors + it.client_errors,
      serverErrors: all.serverErrors + it.server_errors,
    }),
    { requests: 0, clientErrors: 0, serverErrors: 0 },
  );
}

/** The number of requests in the largest bucket. */
export function busiest(buckets: Bucket[]): number {
  return buckets.reduce((most, it) => Math.max(most, it.requests), 0);
}

const LENGTHS: Record<string, number> = {
  PT1M: 60_000,
  PT15M: 900_000,
  PT1H: 3_600_000,
  PT6H: 21_600_000,
  P1D: 86_400_000,
};

export interface Bar {
  x: number;
  width: number;
  parts: { kind: 'ok' | 'client' | 'server'; y: number; height: number }[];
}

/** The bars of a histogram in a box of this size. The largest bar has the full height. */
export function columns(histogram: Histogram, width: number, height: number): Bar[] {
  const length = LENGTHS[histogram.interval] ?? 60_000;
  const from = Math.floor(Date.parse(histogram.from) / length) * length;
  const count = Math.max(1, Math.ceil((Date.parse(histogram.to) - from) / length));
  const most = Math.max(1, busiest(histogram.data));
  const step = width / count;
  return histogram.data.map((it) => {
    const ok = it.requests - it.client_errors - it.server_errors;
    let top = height;
    const parts = (
      [
        ['ok', ok],
        ['client', it.client_errors],
        ['server', it.server_errors],
      ] as const
    ).flatMap(([kind, requests]) => {
      if (requests <= 0) return [];
      const tall = (requests / most) * height;
      top -= tall;
      return [{ kind, y: top, height: tall }];
    });
    return { x: ((Date.parse(it.at) - from) / length) * step, width: Math.max(1, step * 0.8), parts };
  });
}
