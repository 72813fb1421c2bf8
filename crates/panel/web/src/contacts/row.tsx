import { texts } from '../i18n/texts';
import type { Contact } from './api';
import type { ContactColumn } from './columns';
import { nameOf } from './state';
import classes from './table.module.css';

const t = texts('contacts');

interface Props {
  contact: Contact;
  columns: ContactColumn[];
  index: number;
  /** Whether this row is the tab stop of the list. */
  stop: boolean;
  chosen: boolean;
  toggle: (() => void) | undefined;
  onOpen: (contact: Contact) => void;
}

export function ContactRow({ contact, columns, index, stop, chosen, toggle, onOpen }: Props) {
  const open = (event: React.MouseEvent) => {
    const plain = !(event.target as Element).closest('a, button, input, label');
    if (plain && !window.getSelection()?.toString()) onOpen(contact);
  };
  return (
    <tr
      data-index={index}
      data-chosen={chosen || undefined}
      aria-rowindex={index + 2}
      tabIndex={stop ? 0 : -1}
      onClick={open}
    >
      {toggle && (
        <td className={classes.check}>
          <label>
            <input
              type="checkbox"
              tabIndex={-1}
              aria-label={t('choose', { name: nameOf(contact) })}
              checked={chosen}
              onChange={toggle}
            />
          </label>
        </td>
      )}
      {columns.map(({ key, render }) => {
        const value = render(contact);
        return (
          <td key={key} title={typeof value === 'string' ? value : undefined}>
            {value}
          </td>
        );
      })}
    </tr>
  );
}
