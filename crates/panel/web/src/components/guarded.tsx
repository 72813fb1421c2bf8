import { Drawer, type DrawerProps, Modal, type ModalProps } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { texts } from '../i18n/texts';
import { AskDiscard } from './ask-discard';
import { isElsewhere, isSignedIn } from './leave-guard';
import { DeclareUnsaved, RunningUploads, useUnsavedText } from './unsaved';

const common = texts('common');

/** A drawer with fields. It asks before it closes with unsaved text or during an upload. */
export function GuardedDrawer({ children, ...props }: DrawerProps) {
  const guard = useGuard(props.opened, props.onClose);
  return (
    <>
      <Drawer closeButtonProps={{ 'aria-label': common('close') }} {...props} {...guard.dialog}>
        {guard.wrap(children)}
      </Drawer>
      {guard.question}
    </>
  );
}

/** A modal dialog with fields. It asks before it closes with unsaved text or during an upload. */
export function GuardedModal({ children, ...props }: ModalProps) {
  const guard = useGuard(props.opened, props.onClose);
  return (
    <>
      <Modal closeButtonProps={{ 'aria-label': common('close') }} {...props} {...guard.dialog}>
        {guard.wrap(children)}
      </Modal>
      {guard.question}
    </>
  );
}

/** Back and forward close a dialog that the address opened. */
const HISTORY = ['BACK', 'FORWARD', 'GO'];

/**
 * Asks before a click outside, Escape, the close button or another route would lose unsaved text or a running
 * upload.
 */
function useGuard(opened: boolean, onClose: () => void) {
  const { isUnsaved, isUploading, uploads, declare, watch } = useUnsavedText(opened);
  const [closing, setClosing] = useState(false);
  const blocker = useBlocker({
    withResolver: true,
    disabled: !opened,
    enableBeforeUnload: isUnsaved,
    shouldBlockFn: ({ current, next, action }) =>
      (isElsewhere(current, next) || HISTORY.includes(action)) && isSignedIn() && isUnsaved(),
  });
  const leaving = blocker.status === 'blocked';
  // biome-ignore lint/correctness/useExhaustiveDependencies: it only writes to a reference
  const declared = useMemo(() => declare, []);
  const stay = () => {
    setClosing(false);
    blocker.reset?.();
  };
  const leave = () => {
    setClosing(false);
    if (leaving) blocker.proceed?.();
    else onClose();
  };
  const isAsking = opened && (closing || leaving);
  return {
    dialog: {
      onClose: () => (isUnsaved() ? setClosing(true) : onClose()),
      // Escape closes the question first.
      ...(isAsking && { closeOnEscape: false }),
    },
    wrap: (children: React.ReactNode) => (
      <DeclareUnsaved value={declared}>
        <RunningUploads value={uploads}>
          <div {...watch}>{children}</div>
        </RunningUploads>
      </DeclareUnsaved>
    ),
    question: (
      <AskDiscard
        opened={isAsking}
        title={common(isUploading() ? 'uploadTitle' : 'discardTitle')}
        hint={common(isUploading() ? 'uploadHint' : 'discardHint')}
        stay={common('keepEditing')}
        leave={common('discard')}
        onStay={stay}
        onLeave={leave}
      />
    ),
  };
}
