import { Button } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { useCallback } from 'react';
import { Choice } from '../components/choice';
import { FilterFold } from '../components/filter-fold';
import { FindBox } from '../components/find-box';
import { texts } from '../i18n/texts';
import type { Segment } from './api';
import classes from './filters.module.css';
import { type ContactSearch, SORTS } from './search';

const t = texts('contacts');
const bulk = texts('bulk');

interface Props {
  search: ContactSearch;
  show: (next: Partial<ContactSearch>) => void;
  segments: Segment[];
  openSegments: () => void;
  filtering: boolean;
  toggleFilter: () => void;
  /** Opens the bulk operations for all contacts of the list. Absent if they are not available. */
  changeAll: (() => void) | undefined;
  /** Opens the export of the list. `undefined` if the API cannot export it. */
  exportAll: (() => void) | undefined;
  /** The button that selects the columns of the list. */
  columns: React.ReactNode;
  count: string;
}

/** The filters of the list: words, segment, order and deleted contacts. */
export function FilterBar(props: Props) {
  const {
    search,
    show,
    segments,
    openSegments,
    filtering,
    toggleFilter,
    changeAll,
    exportAll,
    columns,
    count,
  } = props;
  const find = useCallback((q: string | undefined) => show({ q }), [show]);
  return (
    <div className={classes.bar}>
      <FindBox label={t('find')} value={search.q} onChange={find} maxLength={200} />
      <FilterFold set={[search.filter, search.segment, search.sort, search.deleted]}>
        {!search.deleted && (
          <Button
            variant={filtering ? 'filled' : 'default'}
            leftSection={<IconFilter size={16} />}
            aria-expanded={filtering}
            onClick={toggleFilter}
          >
            {t('filter')}
          </Button>
        )}
        <Choice
          label={t('segment')}
          width={180}
          value={search.segment}
          options={segments.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(segment) => show({ segment })}
          onOpen={openSegments}
        />
        <Choice
          label={t('sort')}
          width={170}
          required
          value={search.sort ?? '-created_at'}
          options={SORTS.map((value) => ({ value, label: t(`sorts.${value}`) }))}
          onChange={(sort) => show({ sort: SORTS.find((it) => it === sort && it !== '-created_at') })}
        />
        <Choice
          label={t('show')}
          width={150}
          required
          value={search.deleted ?? 'existing'}
          options={[
            { value: 'existing', label: t('shows.existing') },
            { value: 'only', label: t('shows.deleted') },
          ]}
          onChange={(it) => show({ deleted: it === 'only' ? 'only' : undefined })}
        />
        <div className={classes.tools}>
          {columns}
          {changeAll && (
            <Button variant="default" onClick={changeAll}>
              {bulk('open')}
            </Button>
          )}
          {exportAll && (
            <Button variant="default" onClick={exportAll}>
              {t('export')}
            </Button>
          )}
        </div>
      </FilterFold>
      <span className={`dimmed figures ${classes.count}`} role="status">
        {count}
      </span>
    </div>
  );
}
