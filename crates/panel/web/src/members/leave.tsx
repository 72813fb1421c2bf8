import { Button } from '@mantine/core';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { session } from '../app/session';
import { useAccount } from '../app/use-session';
import { Confirm } from '../components/confirm';
import { en } from '../i18n/en';
import { useRemoveMember } from './api';
import { toldOfMember } from './failures';

const words = en.members;

/** Ends one's own membership, after one question. Every role may do it. */
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
        {words.leave}
      </Button>
      <Confirm
        title={words.leaveTitle(live.name)}
        verb={words.leave}
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
        {words.leaveHint}
      </Confirm>
    </>
  );
}
