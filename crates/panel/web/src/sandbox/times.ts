import { date } from '../i18n/format';

export { absolute } from '../components/time';

const SAME_DAY = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
const OTHER_DAY = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;

/** The time to the second. The date is included if it is not today. */
export function clock(at: string, now: Date = new Date()): string {
  const then = new Date(at);
  const today = then.toDateString() === now.toDateString();
  return date(then, today ? SAME_DAY : OTHER_DAY);
}
