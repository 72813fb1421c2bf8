import { Link } from '@tanstack/react-router';
import { When } from '../components/when';
import { en } from '../i18n/en';
import { contacts as words } from '../i18n/en/contacts';
import type { Contact } from './api';
import { ContactState, nameOf } from './state';
import { TagPills } from './tag-pills';

interface ContactColumn {
  key: string;
  header: string;
  width: number;
  /** The attribute that the column is sorted by. */
  sort?: 'name' | 'created_at' | 'last_message_at';
  render: (contact: Contact) => React.ReactNode;
}

const none = <span className="dimmed">–</span>;

export const COLUMNS: ContactColumn[] = [
  {
    key: 'name',
    header: words.name,
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
  { key: 'email', header: words.email, width: 230, render: (it) => it.email ?? none },
  {
    key: 'phone',
    header: words.phone,
    width: 152,
    render: (it) => (it.phone ? <span className="figures">{it.phone}</span> : none),
  },
  { key: 'tags', header: words.tags, width: 160, render: (it) => <TagPills tags={it.tags} /> },
  { key: 'state', header: words.state, width: 144, render: (it) => <ContactState contact={it} /> },
  {
    key: 'last_message_at',
    header: words.lastMessage,
    width: 136,
    sort: 'last_message_at',
    render: (it) =>
      it.last_message_at ? (
        <When at={it.last_message_at} />
      ) : (
        <span className="dimmed">{en.common.never}</span>
      ),
  },
  {
    key: 'created_at',
    header: words.created,
    width: 136,
    sort: 'created_at',
    render: (it) => <When at={it.created_at} />,
  },
];
