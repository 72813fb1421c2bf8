import { type Mutation, useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useRef } from 'react';
import { TypedText } from './typed-text';

/**
 * Lets a form in a dialog declare whether it has unsaved changes. The dialog then ignores the text of its
 * fields.
 */
export const DeclareUnsaved = createContext<((unsaved: boolean | undefined) => void) | undefined>(undefined);

/** The running uploads of the dialog around a form. Without a dialog, the uploads of the page. */
export const RunningUploads = createContext(new Set<object>());

/** Lets the dialog or the page ask before it loses a running upload. */
export function useUploadGuard(isUploading: boolean): void {
  const uploads = useContext(RunningUploads);
  useEffect(() => {
    if (!isUploading) return;
    const upload = {};
    uploads.add(upload);
    return () => void uploads.delete(upload);
  }, [uploads, isUploading]);
}

/**
 * Watches the text fields of a dialog. Text is unsaved from the first change until the form's request
 * succeeds or the field is removed. A running upload is unsaved, too.
 */
export function useUnsavedText(opened: boolean) {
  const requests = useQueryClient().getMutationCache();
  const box = useRef<HTMLDivElement>(null);
  const typed = useRef(new TypedText());
  const declared = useRef<boolean>(undefined);
  const latest = useRef<Mutation<unknown, Error, unknown, unknown>>(undefined);
  const saving = useRef<typeof latest.current>(undefined);
  const uploads = useRef(new Set<object>());
  useEffect(() => {
    if (opened) return;
    typed.current.forget();
    saving.current = undefined;
  }, [opened]);

  const remember = ({ target }: React.SyntheticEvent) => {
    // Events of a nested dialog also bubble to this one.
    if (box.current?.contains(target as Node)) typed.current.remember(target);
  };
  const isTyped = () => {
    if (declared.current !== undefined) return declared.current;
    if (saving.current?.state.status === 'success') {
      typed.current.forget();
      saving.current = undefined;
    }
    return typed.current.hasChanged();
  };
  const isUploading = () => uploads.current.size > 0;
  return {
    isUnsaved: () => isUploading() || isTyped(),
    isUploading,
    uploads: uploads.current,
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
