import { useBlocker } from '@tanstack/react-router';
import { useContext, useEffect } from 'react';
import { session } from '../app/session';
import { texts } from '../i18n/texts';
import { AskDiscard } from './ask-discard';
import { DeclareUnsaved, RunningUploads } from './unsaved';

const t = texts('drafts');

/**
 * Asks before the user leaves the page, or closes the dialog around the form, with unsaved changes or during an
 * upload.
 */
export function LeaveGuard({ unsaved }: { unsaved: boolean }) {
  const declare = useContext(DeclareUnsaved);
  return declare ? <Declared unsaved={unsaved} declare={declare} /> : <OfPage unsaved={unsaved} />;
}

/** Reports unsaved changes to the dialog, which asks. */
function Declared({ unsaved, declare }: { unsaved: boolean; declare: (unsaved?: boolean) => void }) {
  useEffect(() => {
    declare(unsaved);
    return () => declare(undefined);
  }, [unsaved, declare]);
  return null;
}

function OfPage({ unsaved }: { unsaved: boolean }) {
  const uploads = useContext(RunningUploads);
  const isUploading = () => uploads.size > 0;
  const blocker = useBlocker({
    withResolver: true,
    enableBeforeUnload: () => unsaved || isUploading(),
    shouldBlockFn: ({ current, next }) =>
      (unsaved || isUploading()) && isElsewhere(current, next) && isSignedIn(),
  });
  return (
    <AskDiscard
      opened={blocker.status === 'blocked'}
      title={t('leaveTitle')}
      hint={t(unsaved ? 'leaveHint' : 'leaveUploadHint')}
      stay={t('stay')}
      leave={t('leave')}
      onStay={() => blocker.reset?.()}
      onLeave={() => blocker.proceed?.()}
    />
  );
}

/**
 * Whether a user is signed in. Signing out is intended, and an ended session cannot save, so there is no
 * question.
 */
export function isSignedIn(): boolean {
  return session.snapshot().state === 'in';
}

interface Place {
  pathname: string;
  search: object;
}

/** Whether two locations are different pages or workspaces. */
export function isElsewhere(current: Place, next: Place): boolean {
  return current.pathname !== next.pathname || workspaceOf(current.search) !== workspaceOf(next.search);
}

function workspaceOf(search: object): string | undefined {
  return (search as { ws?: string }).ws;
}
