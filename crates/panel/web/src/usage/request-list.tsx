import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Empty, Failure, Waiting } from '../components/states';
import { texts } from '../i18n/texts';
import type { Names, Row } from './api';
import classes from './log.module.css';
import { Requests } from './requests';
import { filterCount, type LogSearch, USUAL, withoutFilters } from './search';
import { useHasAny, type useRows } from './use-log';

const t = texts('usage');

interface Props {
  ws: string;
  query: ReturnType<typeof useRows>;
  rows: Row[];
  names: Names | undefined;
  search: LogSearch;
  onOpen: (id: string) => void;
  onChange: (next: (it: LogSearch) => LogSearch) => void;
}

/** The list of requests, or the reason why it is empty. */
export function RequestList({ ws, query, rows, names, search, onOpen, onChange }: Props) {
  const client = useQueryClient();
  // Also retry the other queries of the page that failed.
  const retry = () => void client.invalidateQueries({ queryKey: ['usage', ws] });
  const more = query.hasNextPage && !query.isPlaceholderData ? () => void query.fetchNextPage() : undefined;
  if (query.isPending) return <Waiting lines={10} />;
  if (query.error && rows.length === 0) {
    return (
      <div className={classes.state}>
        <Failure error={query.error} retry={retry} />
      </div>
    );
  }
  if (rows.length === 0 && !more) {
    return (
      <div className={classes.state}>
        <NoRows ws={ws} search={search} onChange={onChange} />
      </div>
    );
  }
  return (
    <div className={query.isPlaceholderData ? classes.old : undefined} aria-busy={query.isPlaceholderData}>
      <Requests
        rows={rows}
        names={names}
        open={search.open}
        onOpen={onOpen}
        more={query.error ? undefined : more}
        loadingMore={query.isFetchingNextPage}
      />
      {query.error && (
        <div className={classes.state}>
          <Failure error={query.error} retry={() => void query.fetchNextPage()} />
        </div>
      )}
    </div>
  );
}

/** An empty list: because of the filters or the time range, or because there were no requests yet. */
function NoRows({ ws, search, onChange }: Pick<Props, 'ws' | 'search' | 'onChange'>) {
  const filtered = filterCount(search) > 0;
  const any = useHasAny(ws, !filtered);
  if (filtered) {
    const clear = (
      <Button variant="default" onClick={() => onChange(withoutFilters)}>
        {t('clear')}
      </Button>
    );
    return (
      <Empty title={t('noMatch')} action={clear}>
        {t('noMatchText')}
      </Empty>
    );
  }
  if (any.isPending) return <Waiting lines={3} />;
  if (any.data === false) {
    return (
      <Empty
        title={t('none')}
        action={
          <Button renderRoot={(props) => <Link to="/settings/api-keys" {...props} />}>{t('toKeys')}</Button>
        }
        call={{ path: '/api/v1/me' }}
      >
        {t('noneText')}
      </Empty>
    );
  }
  const all = (
    <Button variant="default" onClick={() => onChange((it) => ({ ...it, last: 'P30D' }))}>
      {t('showAll')}
    </Button>
  );
  return (
    <Empty title={t(`nothing.${search.last ?? USUAL}`)} action={all}>
      {any.data ? t('nothingText') : t('nothingEver')}
    </Empty>
  );
}
