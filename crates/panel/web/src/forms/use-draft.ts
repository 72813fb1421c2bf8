import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { faultsByField, Problem } from '../api/problem';
import { changesOf, type Difference, differencesOf, type Field } from './changes';

/** What people edit of an object, in the version that they saw. */
export interface Versioned<Draft> {
  draft: Draft;
  etag: string;
}

interface Source<Draft> {
  latest: Versioned<Draft>;
  /** The draft as it is compared and saved, for example without spaces at its ends. */
  meant?: (draft: Draft) => Draft;
  /** Reads it as it is now. */
  read: () => Promise<Versioned<Draft>>;
  /** Saves what changed, if nobody else changed it since. */
  save: (changed: Partial<Draft>, etag: string) => Promise<unknown>;
}

/** What a form shows of a draft. */
export interface Editing<Draft> {
  draft: Draft;
  set: (next: Partial<Draft>) => void;
  changed: Field<Draft>[];
  faults: Record<string, string>;
  /** What is wrong with no field of its own. */
  failure: unknown;
  pending: boolean;
  saved: boolean;
  submit: () => void;
  discard: () => void;
  conflict?: { differences: Difference<Draft>[]; takeTheirs: () => void; saveMine: () => void };
}

/** A form whose changes nobody loses: a save says on what it was made, and a conflict is shown. */
export function useDraft<Draft extends object>({
  latest,
  meant = (it) => it,
  read,
  save,
}: Source<Draft>): Editing<Draft> {
  const [started, setStarted] = useState<Versioned<Draft> & { base: Draft }>();
  const [theirs, setTheirs] = useState<Versioned<Draft>>();
  const base = started?.base ?? latest.draft;
  const draft = started?.draft ?? latest.draft;
  const changed = changesOf(base, meant(draft));
  const forget = () => {
    setStarted(undefined);
    setTheirs(undefined);
  };
  const saving = useMutation({
    mutationFn: ({ body, etag }: { body: Partial<Draft>; etag: string }) => save(body, etag),
    onSuccess: forget,
    onError: (error) => {
      if (isConflict(error)) void read().then(setTheirs, () => undefined);
    },
  });
  const discard = () => {
    saving.reset();
    forget();
  };
  const faults = faultsByField(saving.error);
  const told = isConflict(saving.error) && theirs !== undefined;
  return {
    draft,
    set: (next) => {
      saving.reset();
      setStarted({ base, draft: { ...draft, ...next }, etag: started?.etag ?? latest.etag });
    },
    changed: Object.keys(changed) as Field<Draft>[],
    faults,
    failure: saving.error && Object.keys(faults).length === 0 && !told ? saving.error : undefined,
    pending: saving.isPending,
    saved: saving.isSuccess && Object.keys(changed).length === 0,
    submit: () => {
      if (Object.keys(changed).length > 0) {
        saving.mutate({ body: changed, etag: started?.etag ?? latest.etag });
      }
    },
    discard,
    conflict: theirs && {
      differences: differencesOf(base, meant(draft), theirs.draft),
      takeTheirs: discard,
      saveMine: () => saving.mutate({ body: changed, etag: theirs.etag }),
    },
  };
}

export function isConflict(error: unknown): boolean {
  return error instanceof Problem && error.status === 412;
}
