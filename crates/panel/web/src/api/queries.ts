import { QueryClient } from '@tanstack/react-query';
import { Problem, Unreachable } from './problem';

const MOST = 3;

/** Whether to retry a query: if the server was unreachable, overloaded or unavailable, up to `MOST` times. */
export function isWorthRepeating(failures: number, error: unknown): boolean {
  if (failures >= MOST) return false;
  return error instanceof Unreachable || (error instanceof Problem && [429, 503].includes(error.status));
}

/** The delay before a retry, in milliseconds. */
export function pause(failures: number, error: unknown): number {
  if (error instanceof Problem && error.retryAfter) return Math.min(error.retryAfter, 60) * 1000;
  return Math.min(1000 * 2 ** failures, 15_000);
}

export const queries = new QueryClient({
  defaultOptions: {
    queries: { retry: isWorthRepeating, retryDelay: pause, staleTime: 5_000, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
});
