import { Link } from '@tanstack/react-router';
import { When } from '../components/when';
import { texts } from '../i18n/texts';
import type { Contact } from './api';
import { ContactState, nameOf } from './state';
import { TagPills } from './tag-pills';

const t = texts('contacts');
const common = texts('common');

interface ContactColumn {
  /** The header is the text of this key: {@link headerOf}. */
  key: 'name' | 'email' | 'phone' | 'tags' | 'status' | 'last_message_at' | 'created_at';
  width: number;
  /** The attribute that the column is sorted by. */
  sort?: 'name' | 'created_at' | 'last_message_at';
  render: (contact: Contact) => React.ReactNode;
}

const none = <span className="dimmed">–</span>;

export const COLUMNS: ContactColumn[] = [
  {
    key: 'name',
    width: 200,
    sort: 'name',
    render: (it) => (
      <Link
        to="/contacts/$id"
        params={{ id: it.id }}
        className={it.name ? 'named' : undefined}
        tabIndex={-1}
        preload={false}
      >
        {nameOf(it)}
      </Link>
    ),
  },
  { key: 'email', width: 230, render: (it) => it.email ?? none },
  {
    key: 'phone',
    width: 152,
    render: (it) => (it.phone ? <span className="figures">{it.phone}</span> : none),
  },
  { key: 'tags', width: 160, render: (it) => <TagPills tags={it.tags} /> },
  { key: 'status', width: 144, render: (it) => <ContactState contact={it} /> },
  {
    key: 'last_message_at',
    width: 136,
    sort: 'last_message_at',
    render: (it) =>
      it.last_message_at ? (
        <When at={it.last_message_at} />
      ) : (
        <span className="dimmed">{common('never')}</span>
      ),
  },
  {
    key: 'created_at',
    width: 136,
    sort: 'created_at',
    render: (it) => <When at={it.created_at} />,
  },
];

export function headerOf({ key }: ContactColumn): string {
  return t(`columns.${key}`);
}
