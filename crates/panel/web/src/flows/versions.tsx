import { Button } from '@mantine/core';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { Confirm } from '../components/confirm';
import { Empty, Failure, Waiting } from '../components/states';
import { Status } from '../components/status';
import { type Column, DataTable, morePages } from '../components/table';
import { When } from '../components/when';
import { texts } from '../i18n/texts';
import { Comparison } from './comparison';
import { Publish } from './publish';
import type { PartProps } from './tabs';
import classes from './versions.module.css';
import { type FlowVersion, useRestore, useVersions } from './versions-api';

const t = texts('flow-runs');

export function VersionsPart({ read, search, show, typed }: PartProps) {
  const { workspace, role } = useWhere();
  const { flow, etag } = read;
  const versions = useVersions(workspace.id, flow.id, flow.version_published);
  const restore = useRestore(workspace.id, flow.id);
  const [asking, ask] = useState<number>();
  const rows = versions.data?.pages.flatMap((page) => page.data) ?? [];
  const leave = () => {
    ask(undefined);
    restore.reset();
  };
  if (versions.error && !versions.data) {
    return <Failure error={versions.error} retry={() => void versions.refetch()} />;
  }
  if (versions.isPending) return <Waiting />;
  if (rows.length === 0) {
    return (
      <Empty
        title={t('unpublished')}
        action={mayWrite(role) && <Publish read={read} unsaved={typed !== undefined} />}
        call={{ method: 'POST', path: `/api/v1/flows/${flow.id}/publish` }}
      >
        {t('versions.emptyText')}
      </Empty>
    );
  }
  return (
    <div className={classes.columns}>
      <div className={classes.list}>
        <DataTable
          label={t('versions.title')}
          columns={columns(mayWrite(role) && typed === undefined ? ask : undefined)}
          rows={rows}
          rowKey={(version) => String(version.number)}
          openKey={search.version === undefined ? undefined : String(search.version)}
          onOpen={({ number }) => show({ version: number, against: undefined })}
          {...morePages(versions)}
        />
      </div>
      <Comparison
        versions={rows}
        draft={flow.definition}
        unpublished={flow.has_unpublished_changes}
        version={search.version}
        against={search.against}
        show={show}
      />
      <Confirm
        title={t('versions.restoreTitle', { number: String(asking ?? 0) })}
        verb={t('restore')}
        opened={asking !== undefined}
        pending={restore.isPending}
        error={restore.error}
        onClose={leave}
        onConfirm={() =>
          asking !== undefined && restore.mutate({ number: asking, etag }, { onSuccess: leave })
        }
      >
        {flow.has_unpublished_changes ? t('versions.restoreLoses') : t('versions.restoreHint')}
      </Confirm>
    </div>
  );
}

function columns(restore: ((number: number) => void) | undefined): Column<FlowVersion>[] {
  return [
    {
      key: 'number',
      header: t('version'),
      render: (it) => (
        <span className={classes.number}>
          <span className="named">{t('versions.number', { number: String(it.number) })}</span>
          {it.is_current && <Status tone="ok">{t('versions.current')}</Status>}
        </span>
      ),
    },
    { key: 'at', header: t('versions.published'), render: (it) => <When at={it.created_at} /> },
    ...(restore
      ? [
          {
            key: 'restore',
            header: '',
            align: 'end' as const,
            render: (it: FlowVersion) => (
              <Button
                size="compact-sm"
                variant="subtle"
                aria-label={t('versions.restoreNumber', { number: String(it.number) })}
                onClick={() => restore(it.number)}
              >
                {t('restore')}
              </Button>
            ),
          },
        ]
      : []),
  ];
}
