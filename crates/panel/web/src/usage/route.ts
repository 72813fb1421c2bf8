import { type Call, curl } from '../components/curl';
import { shortened } from '../components/id';
import type { Tone } from '../components/status';
import { number } from '../i18n/format';
import { texts } from '../i18n/texts';
import type { Names, Row } from './api';

const t = texts('usage');
const API = '/api/v1';
/** Routes beside the API that one of its own could be taken for. */
const OTHERS = /^\/(platform|auth|inbound|api|docs|healthz|readyz|openapi\.json)(\/|$)/;

/** A route without `/api/v1`, where it cannot be taken for another one. */
export function shortRoute(route: string): string {
  if (route === 'none') return t('unmatched');
  const rest = route.startsWith(`${API}/`) ? route.slice(API.length) : route;
  return OTHERS.test(rest) ? route : rest;
}

/** The route that somebody means who typed this: `/contacts` is `/api/v1/contacts`. */
export function wholeRoute(text: string): string {
  const wanted = text.trim();
  if (wanted === '' || wanted === 'none' || OTHERS.test(wanted)) return wanted;
  return `${API}${wanted.startsWith('/') ? '' : '/'}${wanted}`;
}

/** The `curl` of a route, with what the log does not keep left open; none where there is no such route. */
export function curlOf(method: string, route: string, origin?: string): string | undefined {
  if (!route.startsWith('/') || !isKnown(method)) return undefined;
  const isApi = route.startsWith(`${API}/`);
  const call: Call = { method, path: route, credential: isApi ? '$TIDINGS_KEY' : '$TIDINGS_TOKEN' };
  // The address in a line of its own: there is little room beside the log.
  const text = curl(call, origin).replace(" '", " \\\n  '");
  if (method === 'GET' || method === 'DELETE') return text;
  return [text, "-H 'Content-Type: application/json'", `-d '{"…": "…"}'`].join(' \\\n  ');
}

function isKnown(method: string): method is NonNullable<Call['method']> {
  return ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(method);
}

/** What a status means. */
export function toneOf(status: number): Tone {
  if (status >= 500) return 'bad';
  if (status >= 400) return 'wait';
  return status >= 300 ? 'off' : 'ok';
}

/** Who made a request: a key by its name, a person by theirs. */
export function callerOf(row: Pick<Row, 'key_id' | 'user_id'>, names: Names | undefined): string {
  if (row.key_id) return names?.keys.find((it) => it.id === row.key_id)?.name ?? shortened(row.key_id);
  if (row.user_id) return names?.people[row.user_id] ?? t('person');
  return t('nobody');
}

/** How long a request took, in milliseconds; what took less than one is not nothing. */
export function took(row: Pick<Row, 'duration_ms'>): string {
  return row.duration_ms < 1 ? '<1' : number(row.duration_ms);
}
