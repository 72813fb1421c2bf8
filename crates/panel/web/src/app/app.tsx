import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect } from 'react';
import { isReachable, onReachable } from '../api/connection';
import { queries } from '../api/queries';
import { toasts } from '../components/toasts';
import { useLanguage } from '../i18n/language';
import { router } from './router';
import { hasLeft, session } from './session';
import { theme, variables } from './theme';

const schemes = localStorageColorSchemeManager({ key: 'tidings-scheme' });

/** The root component. A new language renders all pages again, because `t` does not read any state. */
export function App() {
  const language = useLanguage();
  useEffect(() => {
    let before = session.snapshot();
    return session.subscribe(() => {
      const now = session.snapshot();
      // Data of one user must not be shown to the next.
      if (hasLeft(before, now)) {
        queries.clear();
        toasts.hide();
      }
      before = now;
    });
  }, []);
  useEffect(
    () =>
      onReachable(() => {
        // Retry the queries that failed while the server was unreachable.
        if (isReachable())
          void queries.refetchQueries({ predicate: ({ state }) => state.status === 'error' });
      }),
    [],
  );
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      colorSchemeManager={schemes}
      defaultColorScheme="auto"
    >
      <QueryClientProvider client={queries}>
        <RouterProvider key={language} router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}
