import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { faultsByField, Problem } from '../api/problem';
import { changesOf, type Difference, differencesOf, type Field } from './changes';

/** The editable members of an object, with the `ETag` of its version. */
export interface Versioned<Draft> {
  draft: Draft;
  etag: string;
}

interface Source<Draft> {
  latest: Versioned<Draft>;
  /** Normalizes the draft before it is compared and saved, for example by trimming texts. */
  meant?: (draft: Draft) => Draft;
  read: () => Promise<Versioned<Draft>>;
  /** Saves the changes. Fails if the object changed since the given version. */
  save: (changed: Partial<Draft>, etag: string) => Promise<unknown>;
}

export interface Editing<Draft> {
  draft: Draft;
  set: (next: Partial<Draft>) => void;
  changed: Field<Draft>[];
  faults: Record<string, string>;
  /** The error of the last attempt to save, for fields inside of a member. */
  error: unknown;
  /** The error, if it belongs to no field. */
  failure: unknown;
  pending: boolean;
  saved: boolean;
  submit: () => void;
  discard: () => void;
  conflict?: { differences: Difference<Draft>[]; takeTheirs: () => void; saveMine: () => void };
}

/**
 * The state of a form with optimistic locking. It saves with the version that it read. After a conflict it
 * reads the current version and reports the differences.
 */
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
    error: saving.error,
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
