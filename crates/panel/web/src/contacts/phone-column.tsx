import { Link } from '@tanstack/react-router';
import type { ContactColumn } from './columns';
import { ContactState, nameOf } from './state';
import classes from './table.module.css';

/** The height in pixels of a row with two lines. */
export const PHONE_ROW = 56;

/** The only column on a phone: the name, with the status and an address below. */
export const PHONE_COLUMN: ContactColumn = {
  key: 'name',
  width: 0,
  sort: 'name',
  render: (it) => {
    const name = nameOf(it);
    const address = [it.email, it.phone, it.external_id].find((text) => text && text !== name);
    return (
      <span className={classes.lines}>
        <Link
          to="/contacts/$id"
          params={{ id: it.id }}
          className={it.name ? 'named' : undefined}
          title={name}
          tabIndex={-1}
          preload={false}
        >
          {name}
        </Link>
        <span className={classes.second}>
          <ContactState contact={it} />
          {address && (
            <span className={`dimmed ${classes.address}`} title={address}>
              {address}
            </span>
          )}
        </span>
      </span>
    );
  },
};
