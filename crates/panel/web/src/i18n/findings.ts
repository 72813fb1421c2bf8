import { list } from './format';
import { language } from './language';
import { faultMessage } from './problems';
import { texts } from './texts';

const t = texts('findings');
const simulation = texts('simulation');

interface Message {
  code: string;
  message: string;
  /** The values that the message names. */
  params?: Record<string, string>;
}

/**
 * The message of a finding in the language of the page. An English page shows the message of the API. Otherwise the code
 * is translated, and the names in the message are added. The message is the fallback.
 */
export function findingMessage({ code, message, params = {} }: Message): string {
  if (language() === 'en') return message;
  const text = t.find('codes', code);
  if (!text) return faultMessage({ code, message });
  if (params.failure && params.script) {
    const failure = expectationMessage({ code: params.failure, message, params });
    return t('ofScript', { script: params.script, failure });
  }
  const names = [params.name, params.path, params.host, params.flow].filter((it) => it !== undefined);
  return names.length > 0 ? t('named', { text, name: list(names) }) : text;
}

/**
 * The message of a finding that the API describes with IDs of nodes. `nameOf` returns the name of a node on the page, and
 * the page shows the node of the finding beside the message. Returns `undefined` for other findings.
 */
export function nodesMessage(
  { code, params = {} }: Pick<Message, 'code' | 'params'>,
  nameOf: (node: string) => string,
): string | undefined {
  if (code === 'unreachable_node') return t('codes.unreachable_node');
  if (params.failure && params.script) {
    const failure = nodesExpectation({ code: params.failure, params }, nameOf);
    return failure && t('ofScript', { script: params.script, failure });
  }
  if (code !== 'cycle_without_wait' || !params.path) return undefined;
  const name = params.path.split(' → ').map(nameOf).join(' → ');
  return t('named', { text: t('codes.cycle_without_wait'), name });
}

/** The advice of a finding in the language of the page. Without a translation only an English page shows advice. */
export function findingHint({ code, hint }: { code: string; hint?: string | null }): string | undefined {
  if (language() === 'en') return hint ?? undefined;
  return hint ? t.find('hints', code) : undefined;
}

/** The message of a failed expectation in the language of the page. The message of the API is the fallback. */
export function expectationMessage({ code, message, params = {} }: Message): string {
  if (language() === 'en') return message;
  const found = params.found ?? simulation('nothing');
  return t.find('expectations', code, { expected: params.expected ?? '', found }) ?? message;
}

/** The message of a failed expectation about nodes, with their names on the page. Returns `undefined` for others. */
export function nodesExpectation(
  { code, params = {} }: Pick<Message, 'code' | 'params'>,
  nameOf: (node: string) => string,
): string | undefined {
  if (code !== 'node_not_visited' && code !== 'node_out_of_order') return undefined;
  const quoted = (node: string) => simulation('quoted', { text: nameOf(node) });
  const found = params.found ? list(params.found.split(', ').map(quoted)) : simulation('nothing');
  return t.find('expectations', code, { expected: quoted(params.expected ?? ''), found });
}
