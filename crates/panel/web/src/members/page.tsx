import { Button, TextInput } from '@mantine/core';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useWhere, WhereContext } from '../app/here';
import { useAccount } from '../app/use-session';
import { Page } from '../components/page';
import { Empty, Failure, Waiting } from '../components/states';
import { type Column, DataTable } from '../components/table';
import { When } from '../components/when';
import { en } from '../i18n/en';
import { useMembers } from './api';
import { MemberDrawer } from './drawer';
import { Invite } from './invite';
import { Leave } from './leave';
import classes from './members.module.css';
import { type Member, matching } from './rights';
import { StateOf } from './state';

const words = en.members;

interface Search {
  invite?: boolean;
  q?: string;
  member?: string;
}

/** Settings › Members. A sandbox has those of its live workspace, and they are changed there. */
export function Members() {
  const where = useWhere();
  const { live, inSandbox, administers } = where;
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const members = useMembers(live.id, administers);
  const atHome = useMemo(() => ({ ...where, workspace: where.live, inSandbox: false }), [where]);
  const show = (next: Search) =>
    void navigate({
      to: '.',
      search: ((it: Search) => ({ ...it, ...next })) as never,
      replace: true,
      resetScroll: false,
    });

  if (!administers) {
    return (
      <Page title={words.title}>
        <Empty title={words.forAdmins} action={<Leave />}>
          {words.forAdminsHint}
        </Empty>
      </Page>
    );
  }
  return (
    <Page
      title={words.title}
      description={`${words.description(live.name)} ${inSandbox ? words.sandbox : ''}`}
      call={{ path: `/platform/workspaces/${live.id}/members`, credential: '$TIDINGS_TOKEN' }}
      action={
        <Button
          leftSection={<IconPlus size={16} />}
          onClick={() => show({ invite: true, member: undefined })}
        >
          {words.invite}
        </Button>
      }
    >
      <WhereContext value={atHome}>
        {members.error && !members.data ? (
          <Failure error={members.error} retry={() => void members.refetch()} />
        ) : members.isPending ? (
          <Waiting />
        ) : (
          <List all={members.data} search={search} show={show} />
        )}
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
  // The address follows what is typed, not the other way round: it comes a moment later.
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
          aria-label={words.filter}
          placeholder={words.filter}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={text}
          onChange={(event) => filter(event.currentTarget.value)}
        />
        <span className="dimmed figures" role="status">
          {words.count(shown.length, all.length)}
        </span>
      </div>
      {shown.length === 0 ? (
        <Empty
          title={words.noMatch(text.trim())}
          action={
            <Button variant="default" onClick={() => filter('')}>
              {words.clear}
            </Button>
          }
        >
          {words.noMatchHint}
        </Empty>
      ) : (
        <DataTable
          label={words.title}
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
            title={words.aloneTitle}
            action={
              <Button variant="default" onClick={() => show({ invite: true })}>
                {words.invite}
              </Button>
            }
            call={{
              method: 'POST',
              path: `/platform/workspaces/${live.id}/members`,
              body: { email: 'grace@example.com', role: 'member' },
              credential: '$TIDINGS_TOKEN',
            }}
          >
            {words.aloneHint}
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
      header: words.name,
      render: (member) => (
        <span className={classes.name} title={member.name ?? undefined}>
          {member.name ? (
            <span className="named">{member.name}</span>
          ) : (
            <span className="dimmed">{words.noName}</span>
          )}
          {member.id === self && <span className="dimmed"> ({words.you})</span>}
        </span>
      ),
    },
    {
      key: 'email',
      header: words.email,
      render: (member) => (
        <span className={classes.email} title={member.email}>
          {member.email}
        </span>
      ),
    },
    { key: 'role', header: words.role, render: (member) => member.role },
    { key: 'state', header: words.state, render: (member) => <StateOf member={member} /> },
    { key: 'since', header: words.since, render: (member) => <When at={member.created_at} isRealTime /> },
  ];
}
