import { lazy, Suspense, useState } from 'react';
import { loadPart } from '../api/connection';
import type { Call } from './curl';
import { PageDetailsContext } from './page-menu';

const CallDialog = lazy(() =>
  loadPart(() => import('./call-dialog')).then(({ CallDialog: part }) => ({ default: part })),
);

interface Props {
  id?: string;
  /** The API request of the page. */
  call?: Call;
  /** Whether the page's menu contains both. */
  inMenu: boolean;
  children: React.ReactNode;
}

/** Provides the ID and the API request to the page's menu, and shows the request. */
export function PageDetails({ id, call, inMenu, children }: Props) {
  const [isShowingCall, setShowingCall] = useState(false);
  const showCall = call && (() => setShowingCall(true));
  return (
    <PageDetailsContext value={inMenu ? { id, showCall } : undefined}>
      {children}
      {isShowingCall && call && (
        <Suspense>
          <CallDialog call={call} onClose={() => setShowingCall(false)} />
        </Suspense>
      )}
    </PageDetailsContext>
  );
}
