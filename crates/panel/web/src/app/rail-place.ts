import { useLocalStorage } from '@mantine/hooks';
import { useRouterState } from '@tanstack/react-router';
import { useRef } from 'react';

interface Place {
  pathname: string;
  search: object;
}

/** Whether a path belongs to the settings, which have a second navigation. */
export function isInSettings(pathname: string): boolean {
  return pathname === '/settings' || pathname.startsWith('/settings/');
}

/** Whether the page is one of the settings. */
export function useIsInSettings(): boolean {
  return useRouterState({ select: ({ location }) => isInSettings(location.pathname) });
}

/** Whether a path is a page with a canvas, which uses the width of the window: the rail shows icons there. */
export function hasCanvas(pathname: string): boolean {
  return /^\/flows\/[^/]+$/.test(pathname);
}

/** Whether the rail is narrow, and changes that. Pages with a canvas have their own choice, which is narrow at first. */
export function useNarrowRail() {
  const isOfCanvas = useRouterState({ select: ({ location }) => hasCanvas(location.pathname) });
  const pages = useLocalStorage({ key: 'tidings-rail-narrow', defaultValue: false });
  const canvas = useLocalStorage({ key: 'tidings-rail-narrow-canvas', defaultValue: true });
  return isOfCanvas ? canvas : pages;
}

/** The last page outside the settings that was open. Absent if the first page of the visit is in the settings. */
export function usePageBefore(): Place | undefined {
  const place = useRouterState({
    select: ({ location: { pathname, search } }): Place => ({ pathname, search }),
  });
  const last = useRef<Place>(undefined);
  if (!isInSettings(place.pathname)) last.current = place;
  return last.current;
}
