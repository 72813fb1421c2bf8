import { problemOf } from './problem';

interface Outcome<It> {
  data?: It;
  error?: unknown;
  response: Response;
}

/**
 * Returns a response's object under this name, with its `ETag`. Rejects with a {@link Problem} if the request
 * failed.
 */
export async function versioned<Name extends string, It>(name: Name, asked: Promise<Outcome<It>>) {
  const { data, error, response } = await asked;
  if (!response.ok || !data) throw problemOf(response, error);
  return { [name]: data, etag: response.headers.get('ETag') ?? '*' } as Record<Name, It> & { etag: string };
}

/** The parameters of a change to an object. The server rejects it if the object has another version. */
export const ofVersion = (id: string, etag: string) => ({ path: { id }, header: { 'If-Match': etag } });
