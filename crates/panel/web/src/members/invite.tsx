import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { GuardedDrawer } from '../components/guarded';
import { Failure } from '../components/states';
import { en } from '../i18n/en';
import { type InvitedMember, useInvite } from './api';
import { faultsOfInvitation } from './failures';
import { joinLink, type Role, rolesToGive } from './rights';
import { RoleCards } from './role-cards';
import { ShownOnce } from './shown-once';

const words = en.members;

/** Asks somebody in, then shows the link that is good once. */
export function Invite({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { live } = useWhere();
  const invite = useInvite(live.id);
  const close = () => {
    onClose();
    invite.reset();
  };
  return (
    <GuardedDrawer
      opened={opened}
      onClose={close}
      title={invite.data ? words.linkTitle : words.invite}
      closeButtonProps={{ 'aria-label': en.common.close }}
    >
      {invite.data ? (
        <Invited made={invite.data} onDone={close} />
      ) : (
        <Form invite={invite} onCancel={close} />
      )}
    </GuardedDrawer>
  );
}

function Form({ invite, onCancel }: { invite: ReturnType<typeof useInvite>; onCancel: () => void }) {
  const { role: actor } = useWhere();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  const faults = faultsOfInvitation(invite.error);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        invite.mutate({ email: email.trim(), role });
      }}
    >
      <Stack gap="lg">
        <TextInput
          label={words.email}
          description={words.inviteEmailHint}
          type="email"
          autoComplete="off"
          maxLength={254}
          required
          withAsterisk={false}
          data-autofocus
          autoFocus
          value={email}
          error={faults.email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <RoleCards
          label={words.newRole}
          roles={rolesToGive(actor)}
          value={role}
          onChange={setRole}
          error={faults.role}
        />
        {invite.error && Object.keys(faults).length === 0 && <Failure error={invite.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            {en.common.cancel}
          </Button>
          <Button type="submit" loading={invite.isPending} disabled={!email.trim()}>
            {words.inviteVerb}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The link to hand over. */
function Invited({ made, onDone }: { made: InvitedMember; onDone: () => void }) {
  const link = joinLink(made.invitation_token ?? '');
  return (
    <div role="status">
      <ShownOnce link={link} whom={words.linkFor(made.email, words.one[made.role])} once={words.linkOnce}>
        <Button onClick={onDone}>{words.done}</Button>
      </ShownOnce>
    </div>
  );
}
