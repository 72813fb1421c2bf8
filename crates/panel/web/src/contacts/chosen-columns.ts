import { useState } from 'react';
import { useWhere } from '../app/here';
import { useAccount } from '../app/use-session';
import { useCustomFields } from '../conditions/use-fields';
import { COLUMNS, type ContactColumn, customColumn, DEFAULT } from './columns';

/** The columns of the contact list that the user selected for this workspace in this browser. */
export interface ChosenColumns {
  /** All available columns. The name is always shown. */
  all: ContactColumn[];
  /** The selected columns, in the order of {@link all}. */
  shown: ContactColumn[];
  choose: (keys: string[]) => void;
}

export function useChosenColumns(): ChosenColumns {
  const { workspace } = useWhere();
  const { user } = useAccount();
  const place = `tidings-contact-columns-${user.id}-${workspace.id}`;
  const [stored, store] = useState<{ place: string; keys: string[] }>();
  const keys = (stored?.place === place ? stored.keys : undefined) ?? read(place) ?? DEFAULT;
  const fields = useCustomFields().data ?? [];
  const all = [...COLUMNS, ...fields.map(customColumn)];
  return {
    all,
    shown: all.filter(({ key }) => key === 'name' || keys.includes(key)),
    choose: (next) => {
      store({ place, keys: next });
      write(place, next);
    },
  };
}

function read(place: string): string[] | undefined {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(place) ?? 'null');
    return Array.isArray(stored) && stored.every((it) => typeof it === 'string') ? stored : undefined;
  } catch {
    return undefined;
  }
}

function write(place: string, keys: string[]): void {
  try {
    localStorage.setItem(place, JSON.stringify(keys));
  } catch {
    // The browser refused to store them. The selection applies until the page is closed.
  }
}
