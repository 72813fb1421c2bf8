import { Button, Group, Text, Title } from '@mantine/core';
import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { sentence } from '../api/problem';
import type { components } from '../api/schema';
import { errorMessage } from '../i18n/outcomes';
import { texts } from '../i18n/texts';
import { Id } from './id';
import { Failure, Waiting } from './states';
import { Status, type Tone } from './status';
import { type Column, DataTable, morePages } from './table';
import { When } from './when';
import classes from './work.module.css';

const t = texts('work');

type WorkStatus = components['schemas']['ImportStatus'];

const TONES: Record<WorkStatus, Tone> = {
  queued: 'wait',
  running: 'wait',
  completed: 'ok',
  cancelled: 'off',
  failed: 'bad',
};

export function WorkState({ status }: { status: WorkStatus }) {
  return <Status tone={TONES[status]}>{t(`statuses.${status}`)}</Status>;
}

/** Whether a job has ended. False while it is not loaded. */
export function isOver(it: { status: WorkStatus } | undefined): boolean {
  return it !== undefined && it.status !== 'queued' && it.status !== 'running';
}

export interface Work {
  id: string;
  status: WorkStatus;
  created_at: string;
  ended_at: string | null;
  error: { code: string; message: string } | null;
}

interface ProgressProps {
  of: Work;
  done: number;
  all: number;
  /** The progress in words. */
  says: string;
}

/** The status of a job with a progress bar. */
export function WorkProgress({ of, done, all, says }: ProgressProps) {
  return (
    <>
      <div className={classes.head}>
        <span className={classes.since}>
          <WorkState status={of.status} />
          <Text c="dimmed" component="span">
            <When at={of.ended_at ?? of.created_at} />
          </Text>
        </span>
        <Id id={of.id} />
      </div>
      {of.error && (
        <Text role="alert" c="var(--bad)" mb="sm">
          {sentence(errorMessage(of.error))}
        </Text>
      )}
      <progress className={classes.bar} value={done} max={all || 1} aria-label={t('progress')} />
      <p className={classes.done} role="status">
        <span className="figures">{says}</span>
        {!isOver(of) && <span className="dimmed"> {t('background')}</span>}
      </p>
    </>
  );
}

/** Cancels a job. Changes made so far remain. */
export function CancelWork({
  verb,
  cancel,
}: {
  verb: string;
  cancel: UseMutationResult<unknown, Error, void>;
}) {
  return (
    <>
      <div className={classes.cancel}>
        <Button
          variant="outline"
          color="var(--bad)"
          loading={cancel.isPending}
          onClick={() => cancel.mutate()}
        >
          {verb}
        </Button>
        <Text c="dimmed">{t('cancelHint')}</Text>
      </div>
      {cancel.error && <Failure error={cancel.error} />}
    </>
  );
}

interface PastProps<Row> {
  title: string;
  hint: string;
  list: {
    data?: { pages: { data: Row[] }[] };
    error: unknown;
    refetch: () => unknown;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage: () => unknown;
  };
  columns: Column<Row>[];
  onOpen: (id: string) => void;
}

/** The recent jobs. Shows nothing if there are none. */
export function PastWork<Row extends { id: string }>({ title, hint, list, columns, onOpen }: PastProps<Row>) {
  const rows = list.data?.pages.flatMap((page) => page.data) ?? [];
  if (list.error && !list.data) return <Failure error={list.error} retry={() => void list.refetch()} />;
  if (rows.length === 0) return null;
  return (
    <div className={classes.past}>
      <Title order={2}>{title}</Title>
      <p className="dimmed">{hint}</p>
      <div className={classes.scroll}>
        <DataTable
          label={title}
          columns={columns}
          rows={rows}
          rowKey={(it) => it.id}
          onOpen={(it) => onOpen(it.id)}
          {...morePages(list)}
        />
      </div>
    </div>
  );
}

interface OpenedProps<T extends Work> {
  found: UseQueryResult<T>;
  /** The label of the button that returns to the list. */
  back: string;
  onAll: () => void;
  onClose: () => void;
  children: (it: T) => ReactNode;
}

/** A job that the user opened, with loading and error states and buttons to leave it. */
export function OpenedWork<T extends Work>({ found, back, onAll, onClose, children }: OpenedProps<T>) {
  return (
    <>
      {found.data ? (
        children(found.data)
      ) : found.error ? (
        <Failure error={found.error} retry={() => void found.refetch()} />
      ) : (
        <Waiting lines={5} />
      )}
      <Group justify="space-between" mt="lg">
        <Button variant="default" onClick={onAll}>
          {back}
        </Button>
        <Button variant={isOver(found.data) ? 'filled' : 'default'} onClick={onClose}>
          {t('close')}
        </Button>
      </Group>
    </>
  );
}
