import { Button } from '@mantine/core';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { session } from '../app/session';
import { useAccount } from '../app/use-session';
import { Confirm } from '../components/confirm';
import { texts } from '../i18n/texts';
import { useRemoveMember } from './api';
import { toldOfMember } from './failures';

const t = texts('members');

/** Ends the user's own membership after a confirmation. All roles may do it. */
export function Leave({ onGone }: { onGone?: () => void }) {
  const { live } = useWhere();
  const { user } = useAccount();
  const [asking, setAsking] = useState(false);
  const leave = useRemoveMember(live.id);
  return (
    <>
      <Button
        variant="outline"
        color="var(--bad)"
        onClick={() => {
          leave.reset();
          setAsking(true);
        }}
      >
        {t('leave')}
      </Button>
      <Confirm
        title={t('leaveTitle', { workspace: live.name })}
        verb={t('leave')}
        opened={asking}
        pending={leave.isPending}
        error={toldOfMember(leave.error)}
        onClose={() => setAsking(false)}
        onConfirm={() =>
          leave.mutate(user.id, {
            onSuccess: () => {
              setAsking(false);
              onGone?.();
              void session.reload();
            },
          })
        }
      >
        {t('leaveHint')}
      </Confirm>
    </>
  );
}
