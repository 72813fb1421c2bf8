import { useMemo } from 'react';
import { Id } from '../components/id';
import { usePhone } from '../components/phone';
import { type Column, DataTable } from '../components/table';
import { absolute, timeOfDay } from '../components/time';
import { texts } from '../i18n/texts';
import type { Names, Row } from './api';
import { withDays } from './clock';
import classes from './log.module.css';
import { callerOf, shortRoute, toneOf, took } from './route';

const t = texts('usage');

interface Props {
  rows: Row[];
  names: Names | undefined;
  open: string | undefined;
  onOpen: (id: string) => void;
  more: (() => void) | undefined;
  loadingMore: boolean;
}

interface Line {
  row: Row;
  day?: string;
}

/** The columns that do not fit beside the details. The details contain the same values. */
const IN_DETAILS = ['key', 'id'];

export function Requests({ rows, names, open, onOpen, more, loadingMore }: Props) {
  const narrow = usePhone();
  const lines = useMemo(() => withDays(rows, Date.now()), [rows]);
  const isBeside = !narrow && open !== undefined;
  const columns = useMemo(() => {
    if (narrow) return narrowColumns();
    const all = wideColumns(names);
    return isBeside ? all.filter((it) => !IN_DETAILS.includes(it.key)) : all;
  }, [narrow, isBeside, names]);
  return (
    <div className={classes.requests} data-narrow={narrow || undefined} data-short={isBeside || undefined}>
      <DataTable
        label={t('tabRequests')}
        columns={columns}
        rows={lines}
        rowKey={({ row }) => row.request_id}
        openKey={open}
        onOpen={({ row }) => onOpen(row.request_id)}
        more={more}
        loadingMore={loadingMore}
        isNarrow
      />
    </div>
  );
}

function wideColumns(names: Names | undefined): Column<Line>[] {
  return [
    { key: 'at', header: t('time'), width: 124, render: (line) => <At {...line} /> },
    {
      key: 'method',
      header: t('method'),
      width: 84,
      render: ({ row }) => <span className={classes.code}>{row.method}</span>,
    },
    {
      key: 'route',
      header: t('route'),
      render: ({ row }) => (
        <span className={`${classes.code} ${classes.route}`} title={row.route}>
          {shortRoute(row.route)}
        </span>
      ),
    },
    {
      key: 'status',
      header: t('status'),
      width: 72,
      render: ({ row }) => <StatusCode status={row.status} />,
    },
    {
      key: 'ms',
      header: t('ms'),
      align: 'end',
      width: 72,
      render: ({ row }) => took(row),
    },
    {
      key: 'key',
      header: t('key'),
      width: 180,
      render: ({ row }) => {
        const name = callerOf(row, names);
        return (
          <span className={`dimmed ${classes.caller}`} title={name}>
            {name}
          </span>
        );
      },
    },
    { key: 'id', header: t('requestId'), width: 190, render: ({ row }) => <Id id={row.request_id} /> },
  ];
}

/** The columns for a phone. The details contain the rest. */
function narrowColumns(): Column<Line>[] {
  return [
    { key: 'at', header: t('time'), width: 106, render: (line) => <At {...line} /> },
    {
      key: 'status',
      header: t('status'),
      width: 56,
      render: ({ row }) => <StatusCode status={row.status} />,
    },
    {
      key: 'request',
      header: t('request'),
      render: ({ row }) => (
        <span className={`${classes.code} ${classes.route}`} title={row.route}>
          {row.method} {shortRoute(row.route)}
        </span>
      ),
    },
  ];
}

function At({ row, day }: Line) {
  return (
    <time dateTime={row.at} title={absolute(row.at)} className={classes.at}>
      {day && <span className={classes.day}>{day}</span>}
      {timeOfDay(row.at)}
    </time>
  );
}

/** A status code in the colour of its class. */
export function StatusCode({ status }: { status: number }) {
  return (
    <span className={classes.status} data-tone={toneOf(status)}>
      {status}
    </span>
  );
}
