import { problemOf } from '../api/problem';
import type { Read } from './catalog';

/** An object with the version that one saw. */
export async function versioned<It>(
  asked: Promise<{ data?: It; error?: unknown; response: Response }>,
): Promise<Read<It>> {
  const { data, error, response } = await asked;
  if (!response.ok || !data) throw problemOf(response, error);
  return { row: data, etag: response.headers.get('ETag') ?? '*' };
}
