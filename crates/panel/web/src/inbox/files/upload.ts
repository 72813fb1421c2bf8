import { noteReachable } from '../../api/connection';
import { problemOf, Unreachable } from '../../api/problem';
import { noteDeletion } from '../../api/workspace-deleted';
import { session } from '../../app/session';

/** A stored file. */
export interface Media {
  id: string;
  name: string;
  mime_type: string;
  size: number;
}

interface Options {
  /** A retry with the same key does not store the file twice. */
  key: string;
  /** Called with the share of sent bytes, from 0 to 1. */
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

/**
 * Uploads a file. `fetch` does not report progress. Rejects with a `Problem`, with {@link Unreachable}, or with an
 * `AbortError` after the signal.
 */
export async function uploadFile(ws: string, file: File, options: Options): Promise<Media> {
  const token = await session.accessToken();
  const first = await post(ws, file, token, options);
  const isExpired = first.status === 401 && token !== undefined && (await session.renew(token));
  const response = isExpired ? await post(ws, file, await session.accessToken(), options) : first;
  void noteDeletion(response);
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  if (!response.ok) throw problemOf(response, body);
  return body as Media;
}

function post(ws: string, file: File, token: string | undefined, options: Options): Promise<Response> {
  const { key, onProgress, signal } = options;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    request.open('POST', `/api/v1/media?name=${encodeURIComponent(file.name)}`);
    request.setRequestHeader('X-Workspace-Id', ws);
    request.setRequestHeader('Idempotency-Key', key);
    request.setRequestHeader('Content-Type', 'application/octet-stream');
    if (token) request.setRequestHeader('Authorization', `Bearer ${token}`);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      noteReachable(true);
      resolve(responseOf(request));
    };
    request.onerror = () => {
      noteReachable(false);
      reject(new Unreachable(new Error('upload failed')));
    };
    request.onabort = () => reject(new DOMException('The upload was cancelled.', 'AbortError'));
    request.onloadend = () => signal.removeEventListener('abort', abort);
    signal.addEventListener('abort', abort);
    if (signal.aborted) reject(new DOMException('The upload was cancelled.', 'AbortError'));
    else request.send(file);
  });
}

function responseOf(request: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const name of ['X-Request-Id', 'Retry-After']) {
    const value = request.getResponseHeader(name);
    if (value) headers.set(name, value);
  }
  return new Response(request.responseText, { status: request.status, headers });
}
