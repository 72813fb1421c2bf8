import type { components } from '../api/schema';
import { durationParts } from '../conditions/values';
import { en } from '../i18n/en';

type Decision = components['schemas']['Decision'];
type Comparison = components['schemas']['Comparison'];

const words = en.simulation;

const SIGNS: Record<string, string> = { eq: '=', neq: '≠', gt: '>', gte: '≥', lt: '<', lte: '≤' };

/** "3 days"; a duration of several parts as ISO 8601 writes it. */
export function spanInWords(iso: string): string {
  const parts = durationParts(iso);
  if (!parts || parts.count === '') return iso;
  return words.span(Number(parts.count), parts.unit);
}

/** A value as it is told: texts in quotes. */
function told(value: unknown): string {
  if (value === null || value === undefined) return words.nothing;
  return typeof value === 'string' ? `“${value}”` : JSON.stringify(value);
}

function comparisonInWords({ field, op, value, found, holds }: Comparison): string {
  const sign = op ? (SIGNS[op] ?? op.replaceAll('_', ' ')) : '';
  const asked = [field, sign, value === null ? '' : told(value)].filter(Boolean).join(' ');
  return words.compared(asked, holds, told(found));
}

/** By what a run chose its way: a line for each value that was looked at. */
export function decisionInWords({ conditions, weights }: Decision): string[] {
  const compared = conditions.flatMap((it) => it.comparisons.map(comparisonInWords));
  return weights.length > 0 ? [...compared, words.weights(weights.join(' : '))] : compared;
}

/** The instant by the clock of a zone. */
export function clockIn(zone: string | undefined, at: string): string {
  const format = (timeZone: string | undefined) =>
    new Date(at).toLocaleString('en-GB', {
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      hour: '2-digit',
      minute: '2-digit',
      timeZone,
    });
  try {
    return format(zone || undefined);
  } catch {
    // A zone that is being typed is none yet.
    return format(undefined);
  }
}

/** What came of a node: instants in it by the clock of a zone. */
export function outcomeInWords(outcome: string, zone: string | undefined): string {
  return outcome.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (at) => clockIn(zone, at));
}
