import { useMemo, useRef, useState } from 'react';
import { useWhere } from '../app/here';
import { useCustomFields } from '../conditions/use-fields';
import { useCheck } from './api';
import type { ImportCheck, OnError, OnExisting, Parameter } from './check';
import { type Decision, type Decisions, needsOf, parametersOf } from './decisions';
import { recall } from './remembered';
import type { Source } from './source';
import { isTarget } from './targets';

/** The encoding and delimiter that the user selected instead of the detected ones. */
export interface Dialect {
  encoding?: string;
  delimiter?: string;
}

/** The choices of the last step. */
interface Choices {
  existing: OnExisting;
  onError: OnError;
}

/** A chosen file, the user's decisions about its columns, and the latest check of both. */
export function useTable() {
  const { workspace } = useWhere();
  const fields = useCustomFields();
  const [source, setSource] = useState<Source>();
  const [dialect, setDialect] = useState<Dialect>({});
  const [changed, setChanged] = useState<Decisions>();
  const [choices, setChoices] = useState<Choices>({ existing: 'update', onError: 'skip_cell' });

  const first = useCheck(workspace.id, source, dialectParameters(dialect));
  const read = first.isPlaceholderData ? undefined : first.data;
  const headings = useMemo(() => read?.columns.map((it) => it.heading), [read]);
  const recalled = useMemo(
    () => (headings && fields.data ? recall(workspace.id, headings, (it) => isTarget(it, fields.data)) : {}),
    [headings, fields.data, workspace.id],
  );
  const decisions = changed ?? recalled;
  const decided = useCheck(
    workspace.id,
    source,
    headings && [...dialectParameters(dialect), ...parametersOf(decisions, headings)],
  );
  const check = useLatest(source, decided.data ?? read);
  const isCurrent = decided.isSuccess && !decided.isPlaceholderData;
  return {
    source,
    dialect,
    decisions,
    choices,
    check,
    fields: fields.data ?? [],
    needs: useMemo(() => (check ? needsOf(check, decisions, isCurrent) : []), [check, decisions, isCurrent]),
    isChecking: first.isFetching || decided.isFetching,
    /** Whether the check is about the current decisions. */
    isCurrent,
    isRecalled: changed === undefined && Object.keys(recalled).length > 0,
    error: first.error ?? decided.error ?? fields.error,
    retry: () => void (first.error ? first : decided.error ? decided : fields).refetch(),
    choose: (next: Source | undefined) => {
      setSource(next);
      setDialect({});
      setChanged(undefined);
    },
    read: (next: Dialect) => {
      setDialect(next);
      setChanged(undefined);
    },
    decide: (next: Decisions) => setChanged((before) => merged(before ?? recalled, next)),
    set: (next: Partial<Choices>) => setChoices((before) => ({ ...before, ...next })),
    reset: () => setChanged({}),
  };
}

export type Table = ReturnType<typeof useTable>;

function merged(before: Decisions, next: Decisions): Decisions {
  const both = Object.entries(next).map(([heading, it]): [string, Decision] => [
    heading,
    { ...before[heading], ...it },
  ]);
  return { ...before, ...Object.fromEntries(both) };
}

function dialectParameters({ encoding, delimiter }: Dialect): Parameter[] {
  return [
    ...(encoding ? [{ name: 'encoding', value: encoding }] : []),
    ...(delimiter ? [{ name: 'delimiter', value: delimiter }] : []),
  ];
}

/** The last check of a file, also if a check of later decisions fails. */
function useLatest(source: Source | undefined, check: ImportCheck | undefined): ImportCheck | undefined {
  const latest = useRef<{ source: Source | undefined; check: ImportCheck | undefined }>(undefined);
  if (check || latest.current?.source !== source) latest.current = { source, check };
  return latest.current?.check;
}
