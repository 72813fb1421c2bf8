import { language } from './language';
import { faultMessage } from './problems';
import { texts } from './texts';

const t = texts('findings');

/** The name in the message of a finding, by code. A translated text ends with it. */
const NAMES: Record<string, RegExp> = {
  unknown_name: /^the text uses ([^,]+),/,
  unknown_tag: /the name or ID (.+)$/,
  unknown_field: /(?:has the key|never contains) (.+)$/,
  unknown_node: /^no node has the ID ([^\s;,]+)/,
  unknown_node_type: /^(\S+) is not a node type/,
  unknown_secret: /^the workspace has no secret (.+)$/,
  unreachable_node: /^no path leads to the node (.+)$/,
  duplicate_id: /^another node has the ID (.+)$/,
  dead_end: /: (\S+) is required$/,
  cycle_without_wait: /without a wait: (.+)$/,
  recursion: /without a wait: (.+)$/,
  value_refused: /^(\S+) (?:rejects|never accepts)/,
  secret_not_for_host: /^the secret (\S+) may not/,
  unused_variable: /^(\S+) is saved but/,
  unsaved_variable: /^(\S+) is never saved/,
  keyword_taken: /^"(.+)" already starts the flow/,
};

interface Message {
  code: string;
  message: string;
}

/**
 * The message of a finding in the language of the page. An English page shows the message of the API. Otherwise the code
 * is translated, and the name in the message is added. The message is the fallback.
 */
export function findingMessage({ code, message }: Message): string {
  if (language() === 'en') return message;
  const text = t.find('codes', code);
  if (!text) return faultMessage({ code, message });
  const name = NAMES[code]?.exec(message)?.[1];
  return name ? t('named', { text, name }) : text;
}

/** The advice of a finding in the language of the page. Without a translation only an English page shows advice. */
export function findingHint({ code, hint }: { code: string; hint?: string | null }): string | undefined {
  if (language() === 'en') return hint ?? undefined;
  return hint ? t.find('hints', code) : undefined;
}
