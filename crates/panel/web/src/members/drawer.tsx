import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { session } from '../app/session';
import { useAccount } from '../app/use-session';
import { Confirm } from '../components/confirm';
import { Details } from '../components/details';
import { GuardedDrawer } from '../components/guarded';
import { Id } from '../components/id';
import { Failure } from '../components/states';
import { SubmitForm } from '../components/submit-form';
import { When } from '../components/when';
import { texts } from '../i18n/texts';
import { useChangeRole, useRemoveMember } from './api';
import { toldOfMember } from './failures';
import { Leave } from './leave';
import { ResetLink } from './reset-link';
import { type Member, mayRemove, mayReset, type Role, rolesToGive } from './rights';
import { RoleCards } from './role-cards';
import { StateOf } from './state';

const t = texts('members');
const common = texts('common');

interface Props {
  opened: boolean;
  /** Absent if no member has the ID in the address. */
  member: Member | undefined;
  onClose: () => void;
}

/** A member with their role, and the actions on it. */
export function MemberDrawer({ opened, member, onClose }: Props) {
  return (
    <GuardedDrawer
      opened={opened}
      onClose={onClose}
      title={member ? (member.name ?? member.email) : t('title')}
    >
      {member ? (
        <>
          <Details
            rows={[
              [t('email'), member.email],
              [t('role'), common(`roles.${member.role}`)],
              [t('status'), <StateOf key="state" member={member} />],
              [t('since'), <When key="since" at={member.created_at} isRealTime />],
              [t('id'), <Id key="id" id={member.id} />],
            ]}
          />
          <Changes key={`${member.id} ${member.version}`} member={member} onClose={onClose} />
        </>
      ) : (
        <Text c="dimmed">{t('gone')}</Text>
      )}
    </GuardedDrawer>
  );
}

/** The actions on a member that the user's role allows. */
function Changes({ member, onClose }: { member: Member; onClose: () => void }) {
  const { role: actor } = useWhere();
  const { user } = useAccount();
  const roles = member.status === 'active' ? rolesToGive(actor, member.role) : [];
  if (!mayRemove(actor, member)) {
    return (
      <Text c="dimmed" mt="lg">
        {t('owners')}
      </Text>
    );
  }
  return (
    <>
      {mayReset(actor, member, user.id) && (
        <Group mt="lg">
          <ResetLink member={member} />
        </Group>
      )}
      {roles.length > 0 && <ChangeRole member={member} roles={roles} />}
      {member.status === 'invited' && (
        <Text c="dimmed" mt="lg">
          {t('invitationRole')}
        </Text>
      )}
      {member.id === user.id ? (
        <Group mt="xl">
          <Leave onGone={onClose} />
        </Group>
      ) : (
        <Remove member={member} onGone={onClose} />
      )}
    </>
  );
}

function ChangeRole({ member, roles }: { member: Member; roles: Role[] }) {
  const { live } = useWhere();
  const { user } = useAccount();
  const [role, setRole] = useState(member.role);
  const change = useChangeRole(live.id);
  const own = member.id === user.id;
  return (
    <SubmitForm
      style={{ marginTop: 20 }}
      onSubmit={() =>
        change.mutate({ id: member.id, role }, { onSuccess: () => own && void session.reload() })
      }
    >
      <RoleCards label={t('role')} roles={roles} value={role} onChange={setRole} />
      {own && role !== member.role && (
        <Text size="sm" mt="xs">
          {t('ownRole')}
        </Text>
      )}
      {change.error && (
        <div style={{ marginTop: 12 }}>
          <Failure error={toldOfMember(change.error)} />
        </div>
      )}
      <Group mt="md">
        <Button type="submit" loading={change.isPending} disabled={role === member.role}>
          {t('changeRole')}
        </Button>
      </Group>
    </SubmitForm>
  );
}

function Remove({ member, onGone }: { member: Member; onGone: () => void }) {
  const { live } = useWhere();
  const [asking, setAsking] = useState(false);
  const remove = useRemoveMember(live.id);
  const said = sayings(member, live.name);
  return (
    <Group mt="xl">
      <Button
        variant="outline"
        color="var(--bad)"
        onClick={() => {
          remove.reset();
          setAsking(true);
        }}
      >
        {said.button}
      </Button>
      <Confirm
        title={said.title}
        verb={said.verb}
        opened={asking}
        pending={remove.isPending}
        error={toldOfMember(remove.error)}
        onClose={() => setAsking(false)}
        onConfirm={() =>
          remove.mutate(member.id, {
            onSuccess: () => {
              setAsking(false);
              onGone();
            },
          })
        }
      >
        {said.hint}
      </Confirm>
    </Group>
  );
}

/** The texts of the question before a member is removed or an invitation is withdrawn. */
function sayings(member: Member, workspace: string) {
  if (member.status === 'invited') {
    return {
      button: t('withdraw'),
      title: t('withdrawTitle', { email: member.email }),
      hint: t('withdrawHint'),
      verb: t('withdrawVerb'),
    };
  }
  const name = member.name ?? member.email;
  return {
    button: t('remove'),
    title: t('removeTitle', { name }),
    hint: t('removeHint', { name, workspace }),
    verb: t('removeVerb'),
  };
}
