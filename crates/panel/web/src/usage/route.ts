import { type Call, curl } from '../components/curl';
import { shortened } from '../components/id';
import type { Tone } from '../components/status';
import { number } from '../i18n/format';
import { texts } from '../i18n/texts';
import type { Names, Row } from './api';

const t = texts('usage');
const API = '/api/v1';
/** Routes outside the API. An API route that looks like one of them is not shortened. */
const OTHERS = /^\/(platform|auth|inbound|api|docs|healthz|readyz|openapi\.json)(\/|$)/;

/** Removes `/api/v1` from a route, unless the result looks like another route. */
export function shortRoute(route: string): string {
  if (route === 'none') return t('unmatched');
  const rest = route.startsWith(`${API}/`) ? route.slice(API.length) : route;
  return OTHERS.test(rest) ? route : rest;
}

/** The full route for a typed text: `/contacts` becomes `/api/v1/contacts`. */
export function wholeRoute(text: string): string {
  const wanted = text.trim();
  if (wanted === '' || wanted === 'none' || OTHERS.test(wanted)) return wanted;
  return `${API}${wanted.startsWith('/') ? '' : '/'}${wanted}`;
}

/**
 * The `curl` command for a route, with placeholders for parts that the log does not store. `undefined` if the
 * route does not exist.
 */
export function curlOf(method: string, route: string, origin?: string): string | undefined {
  if (!route.startsWith('/') || !isKnown(method)) return undefined;
  const isApi = route.startsWith(`${API}/`);
  const call: Call = { method, path: route, credential: isApi ? '$TIDINGS_KEY' : '$TIDINGS_TOKEN' };
  // Put the address on its own line, because the space beside the log is narrow.
  const text = curl(call, origin).replace(" '", " \\\n  '");
  if (method === 'GET' || method === 'DELETE') return text;
  return [text, "-H 'Content-Type: application/json'", `-d '{"…": "…"}'`].join(' \\\n  ');
}

function isKnown(method: string): method is NonNullable<Call['method']> {
  return ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(method);
}

export function toneOf(status: number): Tone {
  if (status >= 500) return 'bad';
  if (status >= 400) return 'wait';
  return status >= 300 ? 'off' : 'ok';
}

/** The name of the API key or user that made a request. */
export function callerOf(row: Pick<Row, 'key_id' | 'user_id'>, names: Names | undefined): string {
  if (row.key_id) return names?.keys.find((it) => it.id === row.key_id)?.name ?? shortened(row.key_id);
  if (row.user_id) return names?.people[row.user_id] ?? t('person');
  return t('nobody');
}

/** The duration of a request in milliseconds. Less than one millisecond becomes "<1". */
export function took(row: Pick<Row, 'duration_ms'>): string {
  return row.duration_ms < 1 ? '<1' : number(row.duration_ms);
}
