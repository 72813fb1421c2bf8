import { usePhone } from '../components/phone';
import { Empty, Failure, Waiting } from '../components/states';
import { type Column, DataTable } from '../components/table';
import { When } from '../components/when';
import { number } from '../i18n/format';
import { texts } from '../i18n/texts';
import type { ErrorGroup } from './api';
import classes from './log.module.css';
import { StatusCode } from './requests';
import { shortRoute } from './route';
import type { LogSearch } from './search';

const t = texts('usage');

interface Props {
  groups: ErrorGroup[] | undefined;
  error: unknown;
  retry: () => void;
  onChoose: (group: ErrorGroup) => void;
}

/** The errors by code and route, most frequent first. */
export function ErrorGroups({ groups, error, retry, onChoose }: Props) {
  const narrow = usePhone();
  if (error) return <Failure error={error} retry={retry} />;
  if (!groups) return <Waiting />;
  if (groups.length === 0) return <Empty title={t('noGroups')}>{t('noGroupsText')}</Empty>;
  return (
    <div className={classes.groups} data-narrow={narrow || undefined}>
      <DataTable
        label={t('tabGroups')}
        rows={groups}
        rowKey={groupKey}
        onOpen={onChoose}
        isNarrow
        columns={narrow ? narrowColumns() : wideColumns()}
      />
    </div>
  );
}

const codeColumn = (): Column<ErrorGroup> => ({
  key: 'code',
  header: t('errorCode'),
  render: (group) => <span className={classes.code}>{group.error_code ?? t('noCode')}</span>,
});
const statusColumn = (): Column<ErrorGroup> => ({
  key: 'status',
  header: t('status'),
  render: (group) => <StatusCode status={group.status} />,
});
const requestColumn = (): Column<ErrorGroup> => ({
  key: 'request',
  header: t('request'),
  render: (group) => (
    <span className={`${classes.code} ${classes.route}`} title={group.route}>
      {group.method} {shortRoute(group.route)}
    </span>
  ),
});
const countColumn = (): Column<ErrorGroup> => ({
  key: 'count',
  header: t('tabRequests'),
  align: 'end',
  render: (group) => number(group.requests),
});
const lastColumn = (): Column<ErrorGroup> => ({
  key: 'last',
  header: t('last'),
  render: (group) => <When at={group.last_at} isRealTime />,
});
const wideColumns = () => [codeColumn(), statusColumn(), requestColumn(), countColumn(), lastColumn()];

/** The columns for a phone: code and request are in one column. */
const narrowColumns = (): Column<ErrorGroup>[] => [
  { ...statusColumn(), width: 48 },
  {
    key: 'both',
    header: t('errorCode'),
    render: (group) => (
      <>
        {codeColumn().render(group)}
        {requestColumn().render(group)}
      </>
    ),
  },
  { ...countColumn(), width: 72 },
];

function groupKey({ error_code, status, method, route }: ErrorGroup): string {
  return [error_code, status, method, route].join(' ');
}

/** The search for the requests of a group. If the group has no error code, it uses the status class. */
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
