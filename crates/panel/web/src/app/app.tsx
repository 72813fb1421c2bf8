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

/** The panel, from the look to the pages. Another language draws the pages again: `t` is no state of a component. */
export function App() {
  const language = useLanguage();
  useEffect(() => {
    let before = session.snapshot();
    return session.subscribe(() => {
      const now = session.snapshot();
      // What one person saw is not shown to the next.
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
        // What failed while the service was away is asked again.
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
