import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { useSearchState } from '../app/search-state';
import { GuardedDrawer } from '../components/guarded';
import { Named } from '../components/named';
import { ResourcePage } from '../components/resource-page';
import type { Column } from '../components/table';
import { When } from '../components/when';
import { texts } from '../i18n/texts';
import { type SavedReply, useReplies } from './api';
import { CreateReply, EditReply } from './forms';
import classes from './replies.module.css';

const t = texts('replies');

interface Search {
  create?: boolean;
  reply?: string;
}

/** Settings › Saved replies. */
export function SavedReplies() {
  const { workspace, role } = useWhere();
  const [search, show] = useSearchState<Search>();
  const replies = useReplies(workspace.id);
  const close = () => show({ create: undefined, reply: undefined });
  return (
    <ResourcePage
      title={t('title')}
      description={t('description')}
      call={{ path: '/api/v1/saved-replies' }}
      create={
        mayWrite(role) && { label: t('create'), onClick: () => show({ create: true, reply: undefined }) }
      }
      list={replies}
      columns={columns()}
      rowKey={(it) => it.id}
      openKey={search.reply}
      onOpen={(it) => show({ reply: it.id })}
      empty={{
        title: t('noReplies'),
        text: t('emptyText'),
        call: {
          method: 'POST',
          path: '/api/v1/saved-replies',
          body: { name: 'Opening hours', text: 'We are open from 9 to 17.' },
        },
      }}
    >
      <GuardedDrawer
        opened={search.create === true || search.reply !== undefined}
        onClose={close}
        size={560}
        title={search.create ? t('create') : t('edit')}
      >
        {search.create ? (
          <CreateReply onDone={close} />
        ) : (
          search.reply && <EditReply key={search.reply} id={search.reply} onDone={close} />
        )}
      </GuardedDrawer>
    </ResourcePage>
  );
}

const columns = (): Column<SavedReply>[] => [
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
