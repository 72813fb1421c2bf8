import { useCallback, useEffect, useRef, useState } from 'react';
import { Problem } from '../../api/problem';
import { useWhere } from '../../app/here';
import { useFlow, useSaveFlow, type Versioned } from '../api';
import { asDefinition, type Definition } from '../definition';
import { begin, record, redo, undo } from '../graph/history';
import type { PartProps } from '../tabs';
import { written } from '../written';

const REST = 900;
const textOf = (it: Versioned) => JSON.stringify(it.flow.definition);
const definitionOf = (it: Versioned) => asDefinition(it.flow.definition);

/** The edited draft, with undo. It is saved a moment after each change. */
export function useDraft({ read, typed, setTyped }: Pick<PartProps, 'read' | 'typed' | 'setTyped'>) {
  const { workspace } = useWhere();
  const latestRead = useFlow(workspace.id, read.flow.id);
  const save = useSaveFlow(workspace.id, read.flow.id);
  const [base, setBase] = useState(typed?.base ?? read);
  // The definition that was last read or sent.
  const [saved, setSaved] = useState(() => definitionOf(base));
  const [history, setHistory] = useState(() => begin(typed ? asDefinition(JSON.parse(typed.text)) : saved));
  const { present } = history;
  const dirty = present !== saved;
  const conflict = save.error instanceof Problem && save.error.status === 412;

  const send = useCallback(
    async (definition: Definition, on: Versioned) => {
      try {
        const now = await save.mutateAsync({ body: { definition: definition as never }, etag: on.etag });
        setBase(now);
        setSaved(definition);
        setTyped(undefined);
      } catch {
        void latestRead.refetch();
      }
    },
    [save.mutateAsync, setTyped, latestRead.refetch],
  );

  // Apply changes by other users at once if there are no unsaved changes. A changed name alone causes no
  // conflict.
  useEffect(() => {
    if (read.flow.version <= base.flow.version || save.isPending) return;
    if (textOf(read) === textOf(base)) setBase(read);
    else if (!dirty) {
      const theirs = definitionOf(read);
      setBase(read);
      setSaved(theirs);
      setHistory((it) => record(it, theirs));
    }
  }, [read, base, dirty, save.isPending]);

  // Report unsaved changes to the page, and save them after a pause.
  useEffect(() => {
    if (!dirty) return;
    setTyped({ text: written(present), base });
    if (save.isPending || conflict) return;
    const timer = setTimeout(() => void send(present, base), REST);
    return () => clearTimeout(timer);
  }, [present, base, dirty, conflict, save.isPending, send, setTyped]);

  useLastSend(dirty && !save.isPending && !conflict ? () => void send(present, base) : undefined);

  return {
    definition: present,
    change: useCallback(
      (next: Definition, about?: string) => setHistory((it) => record(it, next, about)),
      [],
    ),
    undo: history.past.length > 0 ? () => setHistory(undo) : undefined,
    redo: history.future.length > 0 ? () => setHistory(redo) : undefined,
    state: conflict
      ? ('conflict' as const)
      : save.error
        ? ('failed' as const)
        : dirty
          ? ('waits' as const)
          : ('saved' as const),
    error: save.error,
    /** Whether the version that another user saved is loaded. */
    theirsKnown: read.flow.version > base.flow.version,
    retry: () => void send(present, base),
    takeTheirs: () => {
      const theirs = definitionOf(read);
      save.reset();
      setBase(read);
      setSaved(theirs);
      setHistory((it) => record(it, theirs));
      setTyped(undefined);
    },
    saveMine: () => {
      setBase(read);
      void send(present, read);
    },
  };
}

/** Saves pending changes when the user leaves this part of the page. */
function useLastSend(send: (() => void) | undefined) {
  const latest = useRef(send);
  latest.current = send;
  useEffect(() => () => latest.current?.(), []);
}
