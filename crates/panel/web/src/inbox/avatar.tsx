import classes from './avatar.module.css';
import { initials } from './people';

/** The initials of a name, as a picture. */
export function Avatar({ name, size = 32 }: { name: string; size?: number }) {
  return (
    <span className={classes.avatar} style={{ width: size, height: size, fontSize: size * 0.38 }} aria-hidden>
      {initials(name)}
    </span>
  );
}
