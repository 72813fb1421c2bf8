import { Link } from '@tanstack/react-router';
import { When } from '../components/when';
import type { CustomField } from '../contact/draft';
import { date, languageName, list, number } from '../i18n/format';
import { texts } from '../i18n/texts';
import type { Contact } from './api';
import { ContactState, nameOf } from './state';
import { TagPills } from './tag-pills';

const t = texts('contacts');
const contactTexts = texts('contact');

type Attribute =
  | 'name'
  | 'email'
  | 'phone'
  | 'external_id'
  | 'locale'
  | 'tags'
  | 'status'
  | 'last_message_at'
  | 'created_at';

export interface ContactColumn {
  /** An attribute, with a translated header, or `custom_fields.KEY`. */
  key: Attribute | `custom_fields.${string}`;
  /** The name of the custom field. */
  header?: string;
  width: number;
  /** The attribute for sorting. */
  sort?: 'name' | 'created_at' | 'last_message_at';
  render: (contact: Contact) => React.ReactNode;
}

const none = <span className="dimmed">–</span>;

/** In a window of 1,440 pixels, the default columns and the check boxes fit beside the rail. */
export const COLUMNS: ContactColumn[] = [
  {
    key: 'name',
    width: 164,
    sort: 'name',
    render: (it) => (
      <Link
        to="/contacts/$id"
        params={{ id: it.id }}
        className={it.name ? 'named' : undefined}
        title={nameOf(it)}
        tabIndex={-1}
        preload={false}
      >
        {nameOf(it)}
      </Link>
    ),
  },
  { key: 'email', width: 222, render: (it) => it.email ?? none },
  {
    key: 'phone',
    width: 144,
    render: (it) =>
      it.phone ? (
        <span className="figures" title={it.phone}>
          {it.phone}
        </span>
      ) : (
        none
      ),
  },
  { key: 'external_id', width: 160, render: (it) => it.external_id ?? none },
  { key: 'locale', width: 140, render: (it) => (it.locale ? languageName(it.locale) : none) },
  { key: 'tags', width: 184, render: (it) => (it.tags.length > 0 ? <TagPills tags={it.tags} /> : none) },
  { key: 'status', width: 136, render: (it) => <ContactState contact={it} /> },
  {
    key: 'last_message_at',
    width: 132,
    sort: 'last_message_at',
    render: (it) =>
      it.last_message_at ? <When at={it.last_message_at} /> : <span className="dimmed">{t('never')}</span>,
  },
  {
    key: 'created_at',
    width: 132,
    sort: 'created_at',
    render: (it) => <When at={it.created_at} />,
  },
];

export const DEFAULT: string[] = COLUMNS.map(({ key }) => key).filter(
  (key) => key !== 'external_id' && key !== 'locale',
);

export function customColumn({ key, name, type }: CustomField): ContactColumn {
  return {
    key: `custom_fields.${key}`,
    header: name,
    width: 160,
    render: (it) => <Value of={it.custom_fields[key]} type={type} />,
  };
}

function Value({ of, type }: { of: unknown; type: CustomField['type'] }) {
  if (of === null || of === undefined) return none;
  if (Array.isArray(of)) return <>{list(of.map(String))}</>;
  if (typeof of === 'boolean') return <>{contactTexts(of ? 'yes' : 'no')}</>;
  if (typeof of === 'number')
    return <span className="figures">{number(of, { maximumFractionDigits: 20 })}</span>;
  if (type === 'datetime') return <When at={String(of)} canBeFuture />;
  if (type === 'date') return <>{date(String(of), { dateStyle: 'medium', timeZone: 'UTC' })}</>;
  return <>{String(of)}</>;
}

export function headerOf({ key, header }: ContactColumn): string {
  return header ?? t(`attributeNames.${key as Attribute}`);
}
