import { useQuery, useQueryClient } from '@tanstack/react-query';
import { apiIn } from '../api/client';
import { keys } from '../api/keys';
import { ofVersion, versioned } from '../api/versioned';
import { useWhere } from '../app/here';
import type { Catalog } from '../catalog/catalog';
import { CatalogPage } from '../catalog/page';
import { Named } from '../components/named';
import { When } from '../components/when';
import { texts } from '../i18n/texts';
import { allReplies, type ReplyDraft, type SavedReply } from './api';
import { ReplyFields } from './fields';
import classes from './replies.module.css';

const t = texts('replies');
const filesLabel = texts('inbox');

const PATH = '/api/v1/saved-replies';

/** Settings › Saved replies. */
export function SavedReplies() {
  const { workspace } = useWhere();
  const client = useQueryClient();
  const api = apiIn(workspace.id);
  const of: Catalog<SavedReply, ReplyDraft> = {
    words: t,
    list: { all: useQuery(allReplies(workspace.id)), said: ({ name, text }) => `${name} ${text}` },
    call: { path: PATH },
    example: {
      method: 'POST',
      path: PATH,
      body: { name: 'Opening hours', text: 'We are open from 9 to 17.' },
    },
    columns: columns(),
    fresh: { name: '', text: '', attachments: [] },
    draftOf: ({ name, text, attachments }) => ({ name, text, attachments: attachments ?? [] }),
    fieldName,
    Fields: ReplyFields,
    width: 560,
    read: (id) => versioned('row', api.raw.GET('/api/v1/saved-replies/{id}', { params: { path: { id } } })),
    create: ({ name, text, attachments }) =>
      api.POST('/api/v1/saved-replies', { body: { name: name.trim(), text, attachments } }),
    save: ({ id }, body, etag) =>
      api.PATCH('/api/v1/saved-replies/{id}', { params: ofVersion(id, etag), body }),
    remove: ({ id }) => api.DELETE('/api/v1/saved-replies/{id}', { params: { path: { id } } }),
    refresh: () => client.invalidateQueries({ queryKey: keys.savedReplies(workspace.id) }),
  };
  return <CatalogPage of={of} />;
}

function fieldName(field: string): string {
  if (field === 'attachments') return filesLabel('files.label');
  return field === 'text' ? t('text') : t('name');
}

const columns = (): Catalog<SavedReply, ReplyDraft>['columns'] => [
  { key: 'name', header: t('name'), render: (it) => <Named text={it.name} /> },
  {
    key: 'text',
    header: t('text'),
    render: (it) => (
      <span className={classes.text} title={it.text}>
        {it.text}
      </span>
    ),
  },
  { key: 'changed', header: t('lastChanged'), render: (it) => <When at={it.updated_at} /> },
];
