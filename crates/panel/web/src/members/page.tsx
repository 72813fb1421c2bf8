import { Button, TextInput } from '@mantine/core';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useWhere, WhereContext } from '../app/here';
import { useSearchState } from '../app/search-state';
import { useAccount } from '../app/use-session';
import { Loaded } from '../components/loaded';
import { Page } from '../components/page';
import { Empty } from '../components/states';
import { type Column, DataTable } from '../components/table';
import { When } from '../components/when';
import { texts } from '../i18n/texts';
import { useMembers } from './api';
import { MemberDrawer } from './drawer';
import { Invite } from './invite';
import { Leave } from './leave';
import classes from './members.module.css';
import { type Member, matching } from './rights';
import { StateOf } from './state';

const t = texts('members');
const common = texts('common');

interface Search {
  invite?: boolean;
  q?: string;
  member?: string;
}

/** Settings › Members. A sandbox has the members of its live workspace, and they are changed there. */
export function Members() {
  const where = useWhere();
  const { live, inSandbox, administers } = where;
  const [search, show] = useSearchState<Search>();
  const members = useMembers(live.id, administers);
  const atHome = useMemo(() => ({ ...where, workspace: where.live, inSandbox: false }), [where]);

  if (!administers) {
    return (
      <Page title={t('title')}>
        <Empty title={t('forAdmins')} action={<Leave />}>
          {t('forAdminsHint')}
        </Empty>
      </Page>
    );
  }
  return (
    <Page
      title={t('title')}
      description={t(inSandbox ? 'descriptionSandbox' : 'description', { workspace: live.name })}
      call={{ path: `/platform/workspaces/${live.id}/members`, credential: '$TIDINGS_TOKEN' }}
      action={
        <Button
          leftSection={<IconPlus size={16} />}
          onClick={() => show({ invite: true, member: undefined })}
        >
          {t('invite')}
        </Button>
      }
    >
      <WhereContext value={atHome}>
        <Loaded asked={members}>{(data) => <List all={data} search={search} show={show} />}</Loaded>
        <Invite opened={search.invite === true} onClose={() => show({ invite: undefined })} />
        <MemberDrawer
          opened={search.member !== undefined && members.data !== undefined}
          member={members.data?.find((it) => it.id === search.member)}
          onClose={() => show({ member: undefined })}
        />
      </WhereContext>
    </Page>
  );
}

interface ListProps {
  all: Member[];
  search: Search;
  show: (next: Search) => void;
}

function List({ all, search, show }: ListProps) {
  const { user } = useAccount();
  const { live } = useWhere();
  // The field updates the address, which changes a moment later. The address does not update the field.
  const [text, setText] = useState(String(search.q ?? ''));
  const filter = (next: string) => {
    setText(next);
    show({ q: next || undefined });
  };
  const shown = matching(all, text);
  return (
    <>
      <div className={classes.filters}>
        <TextInput
          className={classes.filter}
          aria-label={t('filter')}
          placeholder={t('filter')}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={text}
          onChange={(event) => filter(event.currentTarget.value)}
        />
        <span className="dimmed figures" role="status">
          {shown.length === all.length
            ? t('count', { count: all.length })
            : t('countShown', { shown: shown.length, all: all.length })}
        </span>
      </div>
      {shown.length === 0 ? (
        <Empty
          title={t('noMatch', { text: text.trim() })}
          action={
            <Button variant="default" onClick={() => filter('')}>
              {t('clear')}
            </Button>
          }
        >
          {t('noMatchHint')}
        </Empty>
      ) : (
        <DataTable
          label={t('title')}
          columns={columns(user.id)}
          rows={shown}
          rowKey={(member) => member.id}
          openKey={search.member}
          onOpen={(member) => show({ member: member.id })}
        />
      )}
      {all.length === 1 && (
        <div className={classes.alone}>
          <Empty
            title={t('onlyYouTitle')}
            action={
              <Button variant="default" onClick={() => show({ invite: true })}>
                {t('invite')}
              </Button>
            }
            call={{
              method: 'POST',
              path: `/platform/workspaces/${live.id}/members`,
              body: { email: 'grace@example.com', role: 'member' },
              credential: '$TIDINGS_TOKEN',
            }}
          >
            {t('onlyYouHint')}
          </Empty>
        </div>
      )}
    </>
  );
}

function columns(self: string): Column<Member>[] {
  return [
    {
      key: 'name',
      header: t('name'),
      render: (member) => (
        <span className={classes.name} title={member.name ?? undefined}>
          {member.name ? (
            <span className="named">{member.name}</span>
          ) : (
            <span className="dimmed">{t('noName')}</span>
          )}
          {member.id === self && <span className="dimmed"> {t('you')}</span>}
        </span>
      ),
    },
    {
      key: 'email',
      header: t('email'),
      render: (member) => (
        <span className={classes.email} title={member.email}>
          {member.email}
        </span>
      ),
    },
    { key: 'role', header: t('role'), render: (member) => common(`roles.${member.role}`) },
    { key: 'state', header: t('status'), render: (member) => <StateOf member={member} /> },
    { key: 'since', header: t('since'), render: (member) => <When at={member.created_at} isRealTime /> },
  ];
}
