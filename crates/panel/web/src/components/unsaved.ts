import { type Mutation, useQueryClient } from '@tanstack/react-query';
import { createContext, useEffect, useRef } from 'react';
import { TypedText } from './typed-text';

/**
 * Lets a form in a dialog declare whether it has unsaved changes. The dialog then ignores the text of its
 * fields.
 */
export const DeclareUnsaved = createContext<((unsaved: boolean | undefined) => void) | undefined>(undefined);

/**
 * Watches the text fields of a dialog. Text is unsaved from the first change until the form's request
 * succeeds or the field is removed.
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
    // Events of a nested dialog also bubble to this one.
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
      // The form's own handler runs between these two handlers and starts the request.
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
