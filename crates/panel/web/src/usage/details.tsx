import { Link } from '@tanstack/react-router';
import { Code } from '../components/code';
import { CopyIcon } from '../components/copy';
import { Details } from '../components/details';
import { Id } from '../components/id';
import { Empty, Failure, Waiting } from '../components/states';
import { absolute, timeOfDay } from '../components/time';
import { texts } from '../i18n/texts';
import type { ErrorGroup, Names, RequestError, Row } from './api';
import { dateOf } from './clock';
import classes from './details.module.css';
import { searchOfGroup } from './groups';
import { StatusCode } from './requests';
import { callerOf, curlOf, toneOf, took } from './route';
import type { LogSearch } from './search';
import { useErrorGroups, useRequest } from './use-log';

const t = texts('usage');

interface Props {
  ws: string;
  id: string;
  /** The row, if the list contains it. */
  row: Row | undefined;
  names: Names | undefined;
  search: LogSearch;
}

/** The details of a request. A request that is not in the list is read separately. */
export function RequestDetails({ ws, id, row, names, search }: Props) {
  const found = useRequest(ws, id, row === undefined);
  const shown = row ?? found.data;
  if (shown) return <Known ws={ws} row={shown} names={names} search={search} />;
  if (found.error) return <Failure error={found.error} retry={() => void found.refetch()} />;
  if (found.isPending) return <Waiting />;
  return <Empty title={t('gone')}>{t('goneText')}</Empty>;
}

function Known({
  ws,
  row,
  names,
  search,
}: {
  ws: string;
  row: Row;
  names: Names | undefined;
  search: LogSearch;
}) {
  const curl = curlOf(row.method, row.route);
  return (
    <>
      <div className={classes.head}>
        <h2 className={classes.name}>
          {row.method} {row.route === 'none' ? t('unmatched') : row.route}
        </h2>
        <span className={classes.status}>
          <StatusCode status={row.status} />
        </span>
      </div>
      <div className={classes.line}>
        <Id id={row.request_id} />
        <time dateTime={row.at} title={absolute(row.at)}>
          {dateOf(row.at)}, {timeOfDay(row.at)}
        </time>
        <span>{t('tookMs', { ms: took(row) })}</span>
      </div>
      {row.error_code && <Wrong code={row.error_code} status={row.status} errors={row.errors ?? []} />}
      <Details
        rows={
          [
            [t('key'), <Caller key="key" row={row} names={names} />],
            [t('address'), <code key="address">{row.address}</code>],
            ...(row.error_code
              ? [[t('sameError'), <SameError key="same" ws={ws} row={row} search={search} />]]
              : []),
          ] as [string, React.ReactNode][]
        }
      />
      {curl && (
        <section className={classes.route}>
          <h3>{t('sameRoute')}</h3>
          <Code text={curl} what={t('curl')} />
        </section>
      )}
      <p className={classes.note}>{t('bodies')}</p>
    </>
  );
}

/** The error code and the messages for each invalid member. */
function Wrong({ code, status, errors }: { code: string; status: number; errors: RequestError[] }) {
  return (
    <div className={classes.error}>
      <div className={classes.code} data-tone={toneOf(status)}>
        {code}
        <CopyIcon text={code} what={code} />
      </div>
      {errors.length > 0 && (
        <dl className={classes.places}>
          {errors.map((error, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same error may occur twice
            <Place key={at} error={error} />
          ))}
        </dl>
      )}
    </div>
  );
}

function Place({ error }: { error: RequestError }) {
  return (
    <>
      <dt>{error.parameter === undefined ? error.pointer || t('inBody') : `?${error.parameter}`}</dt>
      <dd>{error.code}</dd>
    </>
  );
}

function Caller({ row, names }: { row: Row; names: Names | undefined }) {
  const name = callerOf(row, names);
  if (!row.key_id) return name;
  const scope = names?.keys.find((it) => it.id === row.key_id)?.scope;
  return (
    <Link to="/settings/api-keys" search={{ key: row.key_id }}>
      {scope ? t('keyOption', { name, scope }) : name}
    </Link>
  );
}

/** The number of requests with the same error, as a link to them. */
function SameError({ ws, row, search }: { ws: string; row: Row; search: LogSearch }) {
  const same = {
    error_code: row.error_code ?? null,
    status: row.status,
    method: row.method,
    route: row.route,
  };
  const wanted = searchOfGroup({ last: search.last, from: search.from, to: search.to } as LogSearch, same);
  const groups = useErrorGroups(ws, wanted, false);
  if (!groups.data || groups.isPlaceholderData) return groups.error ? t('failed') : '…';
  const isSame = (it: ErrorGroup) => it.status === row.status && it.error_code === row.error_code;
  const count = groups.data.find(isSame)?.requests ?? 0;
  if (count === 0) return <span className="dimmed">{t('noTimes')}</span>;
  return (
    <Link
      to="/developers/log"
      search={(it) => ({ ...wanted, ws: it.ws, open: row.request_id })}
      resetScroll={false}
    >
      {t('times', { count })}
    </Link>
  );
}
