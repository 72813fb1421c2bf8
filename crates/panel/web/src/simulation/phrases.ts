import type { components } from '../api/schema';
import { durationParts } from '../conditions/values';
import { date } from '../i18n/format';
import { type OutcomePart, outcomeText } from '../i18n/outcomes';
import { texts } from '../i18n/texts';

type Decision = components['schemas']['Decision'];
type Comparison = components['schemas']['Comparison'];

const t = texts('simulation');

/** "3 days pass"; a duration of several parts as ISO 8601 writes it. */
export function passInWords(iso: string): string {
  const parts = durationParts(iso);
  if (!parts || parts.count === '') return t('durationPasses', { duration: iso });
  return t(`passes.${parts.unit}`, { count: Number(parts.count) });
}

/** A value as it is told: texts in quotes. */
function told(value: unknown): string {
  if (value === null || value === undefined) return t('nothing');
  return typeof value === 'string' ? t('quoted', { text: value }) : JSON.stringify(value);
}

function comparisonInWords({ field, op, value, found, holds }: Comparison): string {
  const sign = op ? (t.find('operators', op) ?? op.replaceAll('_', ' ')) : '';
  const comparison = [field, sign, value === null ? '' : told(value)].filter(Boolean).join(' ');
  return t(holds ? 'holds' : 'holdsNot', { comparison, value: told(found) });
}

/** By what a run chose its way: a line for each value that was looked at. */
export function decisionInWords({ conditions, weights }: Decision): string[] {
  const compared = conditions.flatMap((it) => it.comparisons.map(comparisonInWords));
  return weights.length > 0 ? [...compared, t('weights', { weights: weights.join(' : ') })] : compared;
}

/** The instant by the clock of a zone. */
export function clockIn(zone: string | undefined, at: string): string {
  const format = (timeZone: string | undefined) =>
    date(at, {
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

/** The outcome of a node or step, with times by the clock of a zone. */
export function outcomeInWords(
  of: { outcome: string; outcome_parts?: OutcomePart[] },
  zone: string | undefined,
): string {
  return outcomeText(of, (at) => clockIn(zone, at));
}
