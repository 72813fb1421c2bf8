import { useMediaQuery } from '@mantine/hooks';
import { Empty, Failure, Waiting } from '../components/states';
import { type Column, DataTable } from '../components/table';
import { When } from '../components/when';
import { en } from '../i18n/en';
import type { ErrorGroup } from './api';
import classes from './log.module.css';
import { StatusCode } from './requests';
import { shortRoute } from './route';
import type { LogSearch } from './search';

const words = en.usage;

interface Props {
  groups: ErrorGroup[] | undefined;
  error: unknown;
  retry: () => void;
  onChoose: (group: ErrorGroup) => void;
}

/** Which problems were answered, where, the most frequent first. */
export function ErrorGroups({ groups, error, retry, onChoose }: Props) {
  const narrow = useMediaQuery('(max-width: 48em)', false);
  if (error) return <Failure error={error} retry={retry} />;
  if (!groups) return <Waiting />;
  if (groups.length === 0) return <Empty title={words.noGroups}>{words.noGroupsText}</Empty>;
  return (
    <div className={classes.groups} data-narrow={narrow || undefined}>
      <DataTable
        label={words.tabGroups}
        rows={groups}
        rowKey={groupKey}
        onOpen={onChoose}
        columns={narrow ? NARROW : WIDE}
      />
    </div>
  );
}

const CODE: Column<ErrorGroup> = {
  key: 'code',
  header: words.errorCode,
  render: (group) => <span className={classes.code}>{group.error_code ?? words.noCode}</span>,
};
const STATUS: Column<ErrorGroup> = {
  key: 'status',
  header: words.status,
  render: (group) => <StatusCode status={group.status} />,
};
const REQUEST: Column<ErrorGroup> = {
  key: 'request',
  header: words.request,
  render: (group) => (
    <span className={`${classes.code} ${classes.route}`} title={group.route}>
      {group.method} {shortRoute(group.route)}
    </span>
  ),
};
const COUNT: Column<ErrorGroup> = {
  key: 'count',
  header: words.groupCount,
  align: 'end',
  render: (group) => group.requests.toLocaleString('en'),
};
const LAST: Column<ErrorGroup> = {
  key: 'last',
  header: words.last,
  render: (group) => <When at={group.last_at} isRealTime />,
};
const WIDE = [CODE, STATUS, REQUEST, COUNT, LAST];

/** What a telephone has room for: the code above the request. */
const NARROW: Column<ErrorGroup>[] = [
  { ...STATUS, width: 48 },
  {
    key: 'both',
    header: words.errorCode,
    render: (group) => (
      <>
        {CODE.render(group)}
        {REQUEST.render(group)}
      </>
    ),
  },
  { ...COUNT, width: 72 },
];

function groupKey({ error_code, status, method, route }: ErrorGroup): string {
  return [error_code, status, method, route].join(' ');
}

/** The log of one group. Where its code is not known, its kind of status stands for that. */
export function searchOfGroup<S extends LogSearch>(
  search: S,
  group: Omit<ErrorGroup, 'requests' | 'last_at'>,
): S {
  const { error_code, status, method, route } = group;
  const kind = (status >= 500 ? '5xx' : '4xx') as LogSearch['status_class'];
  return {
    ...search,
    tab: undefined,
    request_id: undefined,
    method,
    route,
    error_code: error_code ?? undefined,
    status_class: error_code ? undefined : kind,
  };
}
