import { Button } from '@mantine/core';
import { useCallback, useMemo } from 'react';
import { useWhere, WhereContext } from '../app/here';
import { useSearchState } from '../app/search-state';
import { useAccount } from '../app/use-session';
import { filtered } from '../catalog/rows';
import { FindBox } from '../components/find-box';
import { Page } from '../components/page';
import { ResourcePage } from '../components/resource-page';
import { Empty } from '../components/states';
import type { Column } from '../components/table';
import { When } from '../components/when';
import { texts } from '../i18n/texts';
import { useMembers } from './api';
import { MemberDrawer } from './drawer';
import { Invite } from './invite';
import { Leave } from './leave';
import classes from './members.module.css';
import { type Member, said } from './rights';
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
  const { user } = useAccount();
  const { live, inSandbox, administers } = where;
  const [search, show] = useSearchState<Search>();
  const find = useCallback((q: string | undefined) => show({ q }), [show]);
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
  const { q = '', invite, member } = search;
  const onlyYou = {
    title: t('onlyYouTitle'),
    text: t('onlyYouHint'),
    call: {
      method: 'POST',
      path: `/platform/workspaces/${live.id}/members`,
      body: { email: 'grace@example.com', role: 'member' },
      credential: '$TIDINGS_TOKEN',
    },
  } as const;
  const all = members.data?.length ?? 0;
  return (
    <ResourcePage
      title={t('title')}
      description={t(inSandbox ? 'descriptionSandbox' : 'description', { workspace: live.name })}
      call={{ path: `/platform/workspaces/${live.id}/members`, credential: '$TIDINGS_TOKEN' }}
      create={{ label: t('invite'), onClick: () => show({ invite: true, member: undefined }) }}
      list={filtered({ all: members, said }, q)}
      columns={columns(user.id)}
      rowKey={(it) => it.id}
      openKey={member}
      onOpen={(it) => show({ member: it.id })}
      filters={<FindBox label={t('filter')} value={q} onChange={find} />}
      isFiltered={q !== ''}
      noMatch={{ title: t('noMatch', { text: q }), hint: t('noMatchHint'), clear: t('clear') }}
      onClear={() => find(undefined)}
      count={(shown) => (shown === all ? t('count', { count: all }) : t('countShown', { shown, all }))}
      empty={onlyYou}
    >
      <WhereContext value={atHome}>
        {all === 1 && (
          <div className={classes.alone}>
            <Empty
              title={onlyYou.title}
              action={
                <Button variant="default" onClick={() => show({ invite: true })}>
                  {t('invite')}
                </Button>
              }
              call={onlyYou.call}
            >
              {onlyYou.text}
            </Empty>
          </div>
        )}
        <Invite opened={invite === true} onClose={() => show({ invite: undefined })} />
        <MemberDrawer
          opened={member !== undefined && members.data !== undefined}
          member={members.data?.find((it) => it.id === member)}
          onClose={() => show({ member: undefined })}
        />
      </WhereContext>
    </ResourcePage>
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
