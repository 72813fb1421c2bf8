import { language } from './language';
import { texts } from './texts';

const t = texts('api-messages');

/** The messages by name, with `*` for the value. A longer message is before a message that is its beginning. */
export const MESSAGES = {
  one_of: 'expected one of: *',
  some_of: 'expected one or more of: *',
  text: 'expected a text that is not empty',
  number: 'expected a number',
  number_example: 'expected a number such as 12 or 1.5',
  yes_or_no: 'expected yes or no',
  email: 'expected an email address such as ada@example.com',
  phone: 'expected a phone number with its country code such as +49301234567',
  country_code: 'unknown country code; expected a phone number such as +49301234567',
  phone_length:
    'the country has no phone numbers of this length or prefix; expected a complete number such as +49301234567',
  date: 'expected a date such as 2026-01-31',
  time: 'expected an RFC 3339 time such as 2026-01-31T09:30:00Z',
  url: 'expected a URL such as https://example.com/',
  ambiguous: 'the answer can mean *',
  too_long: 'at most * characters',
  too_small: 'at least *',
  too_large: 'at most *',
  pattern: 'must match the pattern *',
  provider_status: 'The provider answered *, expected 200 to 299.',
  provider_answered: 'The provider answered *.',
  receiver_status: 'the receiver answered *, expected 200 to 299',
  timed_out: 'No complete response arrived in time.',
  host_not_found: 'The host name was not found.',
  connection_refused: 'The connection was refused.',
  unreachable: 'The host cannot be reached.',
  not_connected: 'The connection could not be opened.',
  closed: 'The connection was closed before the response was complete.',
  not_http: 'The connection was closed before the response was complete, or the response was not valid HTTP.',
  response_size: 'The response is larger than * bytes.',
  tls: 'The TLS handshake failed.',
  certificate_expired: 'The TLS certificate has expired.',
  certificate_not_yet: 'The TLS certificate is not valid yet.',
  certificate_host: 'The TLS certificate is for another host name.',
  certificate_authority:
    'The TLS certificate is not from a known authority, or an intermediate certificate is missing.',
  certificate: 'The TLS certificate is not valid.',
  no_url: 'The channel has no URL to send to.',
  secret: "The channel's secret cannot be used to sign.",
} as const;

/**
 * A message of the API that has no code, in the language of the page. An English page shows the message of the API. The
 * message is the fallback.
 */
export function apiMessage(message: string): string {
  if (language() === 'en') return message;
  for (const [name, pattern] of Object.entries(MESSAGES)) {
    const value = valueIn(bare(message), bare(pattern));
    const values = name === 'ambiguous' ? value?.replaceAll(' or ', ' / ') : value;
    const text = values !== undefined && t.find('messages', name, { value: values });
    if (text) return text;
  }
  return message;
}

/** The text that `*` replaces; undefined if the message does not match. A pattern without `*` has an empty value. */
function valueIn(message: string, pattern: string): string | undefined {
  const [before = '', after] = pattern.split('*');
  if (after === undefined) return message === pattern ? '' : undefined;
  const isMatch =
    message.length > before.length + after.length && message.startsWith(before) && message.endsWith(after);
  return isMatch ? message.slice(before.length, message.length - after.length) : undefined;
}

/** The message as it is in the middle of another one: without its full stop, and with a small first letter. */
function bare(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1).replace(/\.$/, '');
}
