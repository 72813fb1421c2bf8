import { lazy, Suspense, useContext } from 'react';
import { WhereContext } from '../app/here';
import { CopyIcon } from './copy';
import classes from './id.module.css';

// The first page also shows IDs, but no menus.
const IdMenu = lazy(async () => ({ default: (await import('./page-menu')).IdMenu }));

/**
 * An ID that is shortened in the text and copied in full. Users who cannot manage keys find it in a menu, unless it is
 * `whole`.
 */
export function Id({ id, whole }: { id: string; whole?: boolean }) {
  const isForKeys = useContext(WhereContext)?.administers ?? true;
  if (!isForKeys && !whole) {
    return (
      <Suspense fallback={null}>
        <IdMenu id={id} />
      </Suspense>
    );
  }
  return (
    <span className={classes.id} title={id}>
      <span className="mono-small">{whole ? id : shortened(id)}</span>
      <CopyIcon text={id} what={id} />
    </span>
  );
}

/** Shortens an ID: `contact_01k4z8…w2qe` keeps the type and enough characters to distinguish similar IDs. */
export function shortened(id: string): string {
  const at = id.lastIndexOf('_') + 1;
  const rest = id.slice(at);
  return rest.length <= 12 ? id : `${id.slice(0, at)}${rest.slice(0, 6)}…${rest.slice(-4)}`;
}
