import { Button } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { useCallback } from 'react';
import { Choice } from '../components/choice';
import { FindBox } from '../components/find-box';
import { bulk } from '../i18n/en/bulk';
import { contacts as words } from '../i18n/en/contacts';
import type { Segment } from './api';
import classes from './filters.module.css';
import { type ContactSearch, SORTS } from './search';

interface Props {
  search: ContactSearch;
  show: (next: Partial<ContactSearch>) => void;
  segments: Segment[];
  openSegments: () => void;
  filtering: boolean;
  toggleFilter: () => void;
  /** Asks what to do to all that the list shows; absent where that may not be. */
  changeAll: (() => void) | undefined;
  /** Downloads all that the list shows; absent where the API does not export it. */
  exportAll: { start: () => void; pending: boolean } | undefined;
  count: string;
}

/** What is looked for: words, a segment, the order, and who was deleted. */
export function FilterBar(props: Props) {
  const { search, show, segments, openSegments, filtering, toggleFilter, changeAll, exportAll, count } =
    props;
  const find = useCallback((q: string | undefined) => show({ q }), [show]);
  return (
    <div className={classes.bar}>
      <FindBox label={words.find} value={search.q} onChange={find} maxLength={200} />
      {!search.deleted && (
        <Button
          variant={filtering ? 'filled' : 'default'}
          leftSection={<IconFilter size={16} />}
          aria-expanded={filtering}
          onClick={toggleFilter}
        >
          {words.filter}
        </Button>
      )}
      <Choice
        label={words.segment}
        width={180}
        value={search.segment}
        options={segments.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(segment) => show({ segment })}
        onOpen={openSegments}
      />
      <Choice
        label={words.sort}
        width={170}
        required
        value={search.sort ?? '-created_at'}
        options={SORTS.map((value) => ({ value, label: words.sorts[value] }))}
        onChange={(sort) => show({ sort: SORTS.find((it) => it === sort && it !== '-created_at') })}
      />
      <Choice
        label={words.shown}
        width={150}
        required
        value={search.deleted ?? 'living'}
        options={[
          { value: 'living', label: words.living },
          { value: 'only', label: words.deletedOnly },
        ]}
        onChange={(it) => show({ deleted: it === 'only' ? 'only' : undefined })}
      />
      {changeAll && (
        <Button variant="default" onClick={changeAll}>
          {bulk.open}
        </Button>
      )}
      {exportAll && (
        <Button variant="default" loading={exportAll.pending} onClick={exportAll.start}>
          {words.export}
        </Button>
      )}
      <span className={`dimmed figures ${classes.count}`} role="status">
        {count}
      </span>
    </div>
  );
}
