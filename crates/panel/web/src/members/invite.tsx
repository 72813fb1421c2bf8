import { Button, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { GuardedDrawer } from '../components/guarded';
import { Failure } from '../components/states';
import { FormButtons, SubmitForm } from '../components/submit-form';
import { texts } from '../i18n/texts';
import { type InvitedMember, useInvite } from './api';
import { faultsOfInvitation } from './failures';
import { joinLink, type Role, rolesToGive } from './rights';
import { RoleCards } from './role-cards';
import { ShownOnce } from './shown-once';

const t = texts('members');

/** Invites a user, and then shows the single-use link. */
export function Invite({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { live } = useWhere();
  const invite = useInvite(live.id);
  const close = () => {
    onClose();
    invite.reset();
  };
  return (
    <GuardedDrawer opened={opened} onClose={close} title={invite.data ? t('linkTitle') : t('invite')}>
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
    <SubmitForm noValidate onSubmit={() => invite.mutate({ email: email.trim(), role })}>
      <Stack gap="lg">
        <TextInput
          label={t('email')}
          description={t('inviteEmailHint')}
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
          label={t('role')}
          roles={rolesToGive(actor)}
          value={role}
          onChange={setRole}
          error={faults.role}
        />
        {invite.error && Object.keys(faults).length === 0 && <Failure error={invite.error} />}
        <FormButtons onCancel={onCancel} loading={invite.isPending} disabled={!email.trim()}>
          {t('inviteVerb')}
        </FormButtons>
      </Stack>
    </SubmitForm>
  );
}

function Invited({ made, onDone }: { made: InvitedMember; onDone: () => void }) {
  const link = joinLink(made.invitation_token ?? '');
  return (
    <div role="status">
      <ShownOnce link={link} whom={t(`linkFor.${made.role}`, { email: made.email })} once={t('linkOnce')}>
        <Button onClick={onDone}>{t('done')}</Button>
      </ShownOnce>
    </div>
  );
}
