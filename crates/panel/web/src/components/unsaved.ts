import { type Mutation, useQueryClient } from '@tanstack/react-query';
import { createContext, useEffect, useRef } from 'react';
import { TypedText } from './typed-text';

/** Lets a form in a dialog declare whether it has unsaved changes, if it knows better than its fields. */
export const DeclareUnsaved = createContext<((unsaved: boolean | undefined) => void) | undefined>(undefined);

/**
 * Watches the text fields of a dialog. Text is unsaved from the first change until the request that its form sent
 * has succeeded, or until the field is removed.
 */
export function useUnsavedText(opened: boolean) {
  const requests = useQueryClient().getMutationCache();
  const box = useRef<HTMLDivElement>(null);
  const typed = useRef(new TypedText());
  const declared = useRef<boolean>(undefined);
  const latest = useRef<Mutation<unknown, Error, unknown, unknown>>(undefined);
  const saving = useRef<typeof latest.current>(undefined);
  useEffect(() => {
    if (opened) return;
    typed.current.forget();
    saving.current = undefined;
  }, [opened]);

  const remember = ({ target }: React.SyntheticEvent) => {
    // Events of a nested dialog arrive here too.
    if (box.current?.contains(target as Node)) typed.current.remember(target);
  };
  const isUnsaved = () => {
    if (declared.current !== undefined) return declared.current;
    if (saving.current?.state.status === 'success') {
      typed.current.forget();
      saving.current = undefined;
    }
    return typed.current.hasChanged();
  };
  return {
    isUnsaved,
    declare: (unsaved: boolean | undefined) => {
      declared.current = unsaved;
    },
    watch: {
      ref: box,
      onFocusCapture: remember,
      onKeyDownCapture: remember,
      onPasteCapture: remember,
      // The handler of the form runs between these two, and starts the request.
      onSubmitCapture: () => {
        latest.current = requests.getAll().at(-1);
      },
      onSubmit: () => {
        const newest = requests.getAll().at(-1);
        if (newest !== latest.current) saving.current = newest;
      },
    },
  };
}
