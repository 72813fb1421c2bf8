import type { Histogram, Interval } from './api';

const MINUTE = 60_000;
/** The length of a bucket, in milliseconds. */
export const LENGTHS: Record<Interval, number> = {
  PT1M: MINUTE,
  PT15M: 15 * MINUTE,
  PT1H: 60 * MINUTE,
  PT6H: 360 * MINUTE,
  P1D: 1440 * MINUTE,
};
const MOST = 1_000;

/** The requests of a time range in milliseconds since 1970. */
export interface Bucket {
  begin: number;
  end: number;
  requests: number;
  client: number;
  server: number;
}

/** All buckets of a histogram, including those without requests. */
export function filled({ from, to, interval, data }: Histogram): Bucket[] {
  const [first, end, length] = [Date.parse(from), Date.parse(to), LENGTHS[interval]];
  if (!length || !(end > first)) return [];
  const counts = new Map(data.map((it) => [Date.parse(it.at), it]));
  const buckets = Array.from({ length: Math.min(MOST, Math.ceil((end - first) / length)) }, (_, at) => {
    const begin = first + at * length;
    const it = counts.get(begin);
    return {
      begin,
      end: begin + length,
      requests: it?.requests ?? 0,
      client: it?.client_errors ?? 0,
      server: it?.server_errors ?? 0,
    };
  });
  return buckets;
}

export type Sums = Pick<Bucket, 'requests' | 'client' | 'server'>;

export function sumsOf(buckets: Sums[]): Sums {
  return buckets.reduce(
    (sums, it) => ({
      requests: sums.requests + it.requests,
      client: sums.client + it.client,
      server: sums.server + it.server,
    }),
    { requests: 0, client: 0, server: 0 },
  );
}

/** The bucket with the most requests. `undefined` if all are empty. */
export function busiest(buckets: Bucket[]): Bucket | undefined {
  const most = buckets.reduce<Bucket | undefined>(
    (best, it) => (best && best.requests >= it.requests ? best : it),
    undefined,
  );
  return most?.requests ? most : undefined;
}
