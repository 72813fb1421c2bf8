import classes from '../analytics/analytics.module.css';
import { Choice } from '../components/choice';
import { DayField } from '../components/day-field';
import { texts } from '../i18n/texts';
import { type Days, faultOf, LONGEST } from './range';
import { hasOwnDays, type RepliesSearch, SPANS, type Span, USUAL } from './search';

const t = texts('reply-times');
const OWN = 'own';

interface Props {
  search: RepliesSearch;
  show: (next: RepliesSearch) => void;
  days: Days;
}

/** The range: a span that ends today, or a first and a last day. */
export function RangeFilters({ search, show, days }: Props) {
  const fault = faultOf(days);
  const isWrong = fault !== undefined;
  const set = ({ last, from, to }: RepliesSearch) => show({ last, from, to });
  const spans = (Object.keys(SPANS) as Span[]).map((value) => ({ value, label: t(`spans.${value}`) }));
  return (
    <>
      <div className={classes.filters}>
        <Choice
          label={t('range')}
          width={190}
          required
          value={hasOwnDays(search) ? OWN : (search.last ?? USUAL)}
          options={[...spans, { value: OWN, label: t('ownDays') }]}
          onChange={(it) => set(it === OWN ? days : { last: it as Span })}
        />
        <DayField
          label={t('from')}
          value={days.from}
          isWrong={isWrong}
          onChange={(from) => set({ ...days, from })}
        />
        <DayField label={t('to')} value={days.to} isWrong={isWrong} onChange={(to) => set({ ...days, to })} />
      </div>
      {fault && <p role="alert">{t(`faults.${fault}`, { count: LONGEST })}</p>}
    </>
  );
}
