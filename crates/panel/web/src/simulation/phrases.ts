import type { components } from '../api/schema';
import { durationParts } from '../conditions/values';
import { spanInWords } from '../flows/graph/phrases';
import { date } from '../i18n/format';
import { type OutcomePart, outcomeText } from '../i18n/outcomes';
import { texts } from '../i18n/texts';

type Decision = components['schemas']['Decision'];
type Comparison = components['schemas']['Comparison'];

const t = texts('simulation');

/** Describes a duration: "3 days pass". */
export function passInWords(iso: string): string {
  const parts = durationParts(iso);
  if (!parts || parts.count === '') return t('durationPasses', { duration: spanInWords(iso) });
  return t(`passes.${parts.unit}`, { count: Number(parts.count) });
}

/** Formats a value. Texts are quoted. */
function told(value: unknown): string {
  if (value === null || value === undefined) return t('nothing');
  return typeof value === 'string' ? t('quoted', { text: value }) : JSON.stringify(value);
}

function comparisonInWords({ field, op, value, found, holds }: Comparison): string {
  const sign = op ? (t.find('operators', op) ?? op.replaceAll('_', ' ')) : '';
  const comparison = [field, sign, value === null ? '' : told(value)].filter(Boolean).join(' ');
  return t(holds ? 'holds' : 'holdsNot', { comparison, value: told(found) });
}

/** Describes why a run took an exit, with a line for each compared value. */
export function decisionInWords({ conditions, weights }: Decision): string[] {
  const compared = conditions.flatMap((it) => it.comparisons.map(comparisonInWords));
  return weights.length > 0 ? [...compared, t('weights', { weights: weights.join(' : ') })] : compared;
}

/** Formats an instant in a time zone. */
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
    // The zone is invalid while the user types it.
    return format(undefined);
  }
}

/** Describes the outcome of a node or step, with times in the time zone. */
export function outcomeInWords(
  of: { outcome: string; outcome_parts?: OutcomePart[] },
  zone: string | undefined,
): string {
  return outcomeText(of, (at) => clockIn(zone, at));
}
