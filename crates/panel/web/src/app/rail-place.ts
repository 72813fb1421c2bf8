import { useLocalStorage } from '@mantine/hooks';
import { useRouterState } from '@tanstack/react-router';
import { useRef } from 'react';

interface Place {
  pathname: string;
  search: object;
}

/** Whether a path belongs to the settings, which have their own navigation. */
export function isInSettings(pathname: string): boolean {
  return pathname === '/settings' || pathname.startsWith('/settings/');
}

export function useIsInSettings(): boolean {
  return useRouterState({ select: ({ location }) => isInSettings(location.pathname) });
}

/** Whether a page has a canvas. The canvas uses the width of the window, so the rail shows only icons. */
export function hasCanvas(pathname: string): boolean {
  return /^\/flows\/[^/]+$/.test(pathname);
}

/**
 * Whether the rail is narrow, and a function to change it. Pages with a canvas have a separate setting, which
 * is narrow by default.
 */
export function useNarrowRail() {
  const isOfCanvas = useRouterState({ select: ({ location }) => hasCanvas(location.pathname) });
  const pages = useLocalStorage({ key: 'tidings-rail-narrow', defaultValue: false });
  const canvas = useLocalStorage({ key: 'tidings-rail-narrow-canvas', defaultValue: true });
  return isOfCanvas ? canvas : pages;
}

/** The last open page outside the settings. Absent if the visit began in the settings. */
export function usePageBefore(): Place | undefined {
  const place = useRouterState({
    select: ({ location: { pathname, search } }): Place => ({ pathname, search }),
  });
  const last = useRef<Place>(undefined);
  if (!isInSettings(place.pathname)) last.current = place;
  return last.current;
}
