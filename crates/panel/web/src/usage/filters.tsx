import { Button } from '@mantine/core';
import { IconFilter, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { Choice } from '../components/choice';
import { shortened } from '../components/id';
import { texts } from '../i18n/texts';
import type { Names } from './api';
import { spanText } from './clock';
import { Committed } from './committed';
import classes from './filters.module.css';
import { wholeRoute } from './route';
import {
  CLASSES,
  filterCount,
  hasSpan,
  isRequestId,
  type Last,
  type LogSearch,
  METHODS,
  SPANS,
  USUAL,
  wholeSpanOf,
  withoutFilters,
} from './search';

const t = texts('usage');

interface Props {
  search: LogSearch;
  names: Names | undefined;
  /** Routes and codes from the loaded rows, as suggestions. */
  routes: string[];
  codes: string[];
  onChange: (next: (search: LogSearch) => LogSearch) => void;
}

/** The filters of the usage log. They are stored in the address. */
export function LogFilters({ search, names, routes, codes, onChange }: Props) {
  const [unfolded, unfold] = useState(false);
  const set = (changed: Partial<LogSearch>) => onChange((it) => ({ ...it, ...changed }));
  const count = filterCount(search);
  return (
    <div className={classes.filters} data-unfolded={unfolded || undefined}>
      <Times search={search} onChange={set} />
      <Button
        variant="default"
        className={classes.unfold}
        leftSection={<IconFilter size={16} />}
        aria-expanded={unfolded}
        onClick={() => unfold(!unfolded)}
      >
        {count === 0 ? t('filters') : t('filtersSet', { set: count })}
      </Button>
      <div className={classes.more}>
        <Choice
          label={t('status')}
          width={124}
          value={search.status_class}
          options={CLASSES.map((it) => ({ value: it, label: it }))}
          onChange={(it) => set({ status_class: it as LogSearch['status_class'] })}
        />
        <Choice
          label={t('method')}
          width={142}
          value={search.method}
          options={METHODS.map((it) => ({ value: it, label: it }))}
          onChange={(method) => set({ method })}
        />
        <Choice
          label={t('key')}
          width={136}
          value={search.key_id ?? search.by}
          all={t('allKeys')}
          options={keyOptions(names, search.key_id)}
          onChange={(it) =>
            set(
              it === 'people' || it === 'everybody'
                ? { by: it, key_id: undefined }
                : { key_id: it, by: undefined },
            )
          }
        />
        <Committed
          label={t('route')}
          placeholder={t('anything')}
          value={search.route}
          seen={routes}
          meant={wholeRoute}
          onChange={(route) => set({ route })}
        />
        <Committed
          label={t('errorCode')}
          placeholder={t('anything')}
          value={search.error_code}
          seen={codes}
          onChange={(error_code) => set({ error_code })}
        />
        <Committed
          label={t('requestId')}
          placeholder={t('anything')}
          value={search.request_id}
          wrong={(text) => (isRequestId(text) ? undefined : t('requestIdWrong'))}
          isWhole={isRequestId}
          onChange={(request_id) => set({ request_id })}
        />
      </div>
      {hasSpan(search) && !search.request_id && (
        <SpanChip search={search} onRemove={() => set({ from: undefined, to: undefined })} />
      )}
      {count > 0 && (
        <Button variant="subtle" onClick={() => onChange(withoutFilters)}>
          {t('clear')}
        </Button>
      )}
    </div>
  );
}

function Times({ search, onChange }: { search: LogSearch; onChange: (it: Partial<LogSearch>) => void }) {
  const chosen = hasSpan(search);
  const all = Object.keys(SPANS) as Last[];
  return (
    <Choice
      label={t('time')}
      width={170}
      value={search.request_id ? 'P30D' : chosen ? 'chosen' : (search.last ?? USUAL)}
      options={[
        ...all.map((it) => ({ value: it as string, label: t(`spans.${it}`) })),
        ...(chosen ? [{ value: 'chosen', label: t('chosen') }] : []),
      ]}
      required
      // A request ID contains its time.
      disabled={search.request_id !== undefined}
      onChange={(it) =>
        it && it !== 'chosen' && onChange({ last: it as Last, from: undefined, to: undefined })
      }
    />
  );
}

/** The API keys as options, including the selected one if it was deleted. */
function keyOptions(names: Names | undefined, chosen: string | undefined) {
  const keys = (names?.keys ?? []).map(({ id, name, scope }) => ({
    value: id,
    label: t('keyOption', { name, scope }),
  }));
  if (chosen && !keys.some((it) => it.value === chosen))
    keys.push({ value: chosen, label: shortened(chosen) });
  return [...keys, { value: 'people', label: t('people') }, { value: 'everybody', label: t('everybody') }];
}

/** The time range that was selected in the histogram. */
function SpanChip({ search, onRemove }: { search: LogSearch; onRemove: () => void }) {
  const { from, to } = wholeSpanOf(search, Date.now());
  const text = spanText(from, to);
  return (
    <button
      type="button"
      className={classes.chip}
      onClick={onRemove}
      aria-label={t('removeSpan', { span: text })}
    >
      {text}
      <IconX size={14} aria-hidden />
    </button>
  );
}
