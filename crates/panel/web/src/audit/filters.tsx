import { useCallback } from 'react';
import { Choice } from '../components/choice';
import { DayField } from '../components/day-field';
import { FilterFold } from '../components/filter-fold';
import { FindBox } from '../components/find-box';
import { texts } from '../i18n/texts';
import type { Names } from '../usage/api';
import { type Action, KINDS, type Kind } from './actions';
import { describeAction } from './describe-action';
import { type AuditSearch, actionsOf } from './search';

const t = texts('audit');

interface Props {
  search: AuditSearch;
  names: Names | undefined;
  show: (next: AuditSearch) => void;
}

/** The filters of the audit log: object type, action, actor, time and object. */
export function AuditFilterBar({ search, names, show }: Props) {
  const find = useCallback((object: string | undefined) => show({ object }), [show]);
  const people = Object.entries(names?.people ?? {}).map(([value, label]) => ({ value, label }));
  const keys = (names?.keys ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const known = [...people, ...keys, { value: 'system', label: t('system') }];
  const { actor } = search;
  // The address may contain an actor that was deleted.
  const actors =
    actor && !known.some((it) => it.value === actor) ? [...known, { value: actor, label: actor }] : known;
  return (
    <FilterFold set={[search.type, search.action, actor, search.from, search.to, search.object]}>
      <Choice
        label={t('object')}
        width={160}
        value={search.type}
        options={KINDS.map((value) => ({ value, label: describeAction(value) }))}
        onChange={(type) => show({ type: type as Kind | undefined, action: undefined })}
      />
      <Choice
        label={t('action')}
        width={180}
        value={search.action}
        options={actionsOf(search.type).map((value) => ({ value, label: describeAction(value) }))}
        onChange={(action) => show({ action: action as Action | undefined })}
      />
      <Choice
        label={t('actor')}
        width={160}
        value={actor}
        options={actors}
        onChange={(next) => show({ actor: next })}
      />
      <DayField label={t('from')} value={search.from} onChange={(from) => show({ from })} />
      <DayField label={t('to')} value={search.to} onChange={(to) => show({ to })} />
      <FindBox label={t('objectId')} value={search.object} onChange={find} />
    </FilterFold>
  );
}
