import { useMediaQuery } from '@mantine/hooks';
import { useMemo } from 'react';
import { Id } from '../components/id';
import { type Column, DataTable } from '../components/table';
import { absolute, timeOfDay } from '../components/time';
import { en } from '../i18n/en';
import type { Names, Row } from './api';
import { withDays } from './clock';
import classes from './log.module.css';
import { callerOf, shortRoute, toneOf, took } from './route';

const words = en.usage;

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

/** One line a request, newest first. */
export function Requests({ rows, names, open, onOpen, more, loadingMore }: Props) {
  const narrow = useMediaQuery('(max-width: 48em)', false);
  const lines = useMemo(() => withDays(rows, Date.now()), [rows]);
  const columns = useMemo(() => (narrow ? narrowColumns() : wideColumns(names)), [narrow, names]);
  return (
    <div className={classes.requests} data-narrow={narrow || undefined}>
      <DataTable
        label={words.tabRequests}
        columns={columns}
        rows={lines}
        rowKey={({ row }) => row.request_id}
        openKey={open}
        onOpen={({ row }) => onOpen(row.request_id)}
        more={more}
        loadingMore={loadingMore}
      />
    </div>
  );
}

function wideColumns(names: Names | undefined): Column<Line>[] {
  return [
    { key: 'at', header: words.at, width: 124, render: (line) => <At {...line} /> },
    {
      key: 'method',
      header: words.method,
      width: 84,
      render: ({ row }) => <span className={classes.code}>{row.method}</span>,
    },
    {
      key: 'route',
      header: words.route,
      render: ({ row }) => (
        <span className={`${classes.code} ${classes.route}`} title={row.route}>
          {shortRoute(row.route)}
        </span>
      ),
    },
    {
      key: 'status',
      header: words.status,
      width: 72,
      render: ({ row }) => <StatusCode status={row.status} />,
    },
    {
      key: 'ms',
      header: words.ms,
      align: 'end',
      width: 72,
      render: ({ row }) => took(row),
    },
    {
      key: 'key',
      header: words.key,
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
    { key: 'id', header: words.requestId, width: 190, render: ({ row }) => <Id id={row.request_id} /> },
  ];
}

/** What a telephone has room for. The rest stands in the details. */
function narrowColumns(): Column<Line>[] {
  return [
    { key: 'at', header: words.at, width: 92, render: (line) => <At {...line} /> },
    {
      key: 'status',
      header: words.status,
      width: 44,
      render: ({ row }) => <StatusCode status={row.status} />,
    },
    {
      key: 'request',
      header: words.request,
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

/** A status, in the colour of its class. */
export function StatusCode({ status }: { status: number }) {
  return (
    <span className={classes.status} data-tone={toneOf(status)}>
      {status}
    </span>
  );
}
