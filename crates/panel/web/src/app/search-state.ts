import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

/**
 * The search parameters of the page, and a function that changes some of them in place. The page's route
 * validates them. Setting a parameter to `undefined` removes it from the address.
 */
export function useSearchState<Search extends object>() {
  const search: object = useSearch({ strict: false });
  const navigate = useNavigate();
  const show = useCallback(
    (next: Partial<Search>) =>
      void navigate({
        to: '.',
        search: (it: object) => ({ ...it, ...(next as object) }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
  return [search as Search, show] as const;
}

/** The ID of the object that the page shows. */
export function useObjectId(): string {
  return (useParams({ strict: false }) as { id: string }).id;
}
