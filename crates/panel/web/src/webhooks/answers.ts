import { compareNames } from '../i18n/format';
import { texts } from '../i18n/texts';
import type { Delivery } from './deliveries';

const t = texts('webhooks');

/** The number of deliveries in a group, and how many of them failed. */
export interface Tally {
  name: string;
  count: number;
  failed: number;
}

type Counted = Pick<Delivery, 'status' | 'last_status' | 'event_type' | 'attempt_count'>;

/** Counts deliveries by the last response. Deliveries without an attempt are ignored. */
export function byAnswer(deliveries: Counted[]): Tally[] {
  const tried = deliveries.filter((it) => it.attempt_count > 0);
  return tallied(tried, (it) => (it.last_status === null ? t('noResponse') : String(it.last_status)));
}

export function byKind(deliveries: Counted[]): Tally[] {
  return tallied(deliveries, (it) => it.event_type);
}

function tallied(deliveries: Counted[], nameOf: (it: Counted) => string): Tally[] {
  const tallies = new Map<string, Tally>();
  for (const delivery of deliveries) {
    const name = nameOf(delivery);
    const tally = tallies.get(name) ?? { name, count: 0, failed: 0 };
    tally.count += 1;
    if (delivery.status === 'failed') tally.failed += 1;
    tallies.set(name, tally);
  }
  return [...tallies.values()].sort((a, b) => b.count - a.count || compareNames(a.name, b.name));
}
