import { CopyIcon } from './copy';
import classes from './id.module.css';

/** An ID that is shortened in the text and copied in full. */
export function Id({ id, whole }: { id: string; whole?: boolean }) {
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
