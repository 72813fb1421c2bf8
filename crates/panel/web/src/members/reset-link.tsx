import { Button, Group, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { Failure } from '../components/states';
import { en } from '../i18n/en';
import { useResetLink } from './api';
import { type Member, resetLink } from './rights';
import { ShownOnce } from './shown-once';

const words = en.members;

/** Makes a link by which a member sets another password, and shows it once. */
export function ResetLink({ member }: { member: Member }) {
  const { live } = useWhere();
  const make = useResetLink(live.id);
  const [opened, setOpened] = useState(false);
  const name = member.name ?? member.email;
  const close = () => {
    setOpened(false);
    make.reset();
  };
  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)}>
        {words.reset}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={make.data ? words.linkTitle : words.resetTitle(name)}
        closeButtonProps={{ 'aria-label': en.common.close }}
      >
        {make.data ? (
          <div role="status">
            <ShownOnce link={resetLink(make.data)} whom={words.resetFor(member.email)} once={words.resetOnce}>
              <Button onClick={close}>{words.done}</Button>
            </ShownOnce>
          </div>
        ) : (
          <>
            <Text>{words.resetHint(name)}</Text>
            {make.error && (
              <div style={{ marginTop: 16 }}>
                <Failure error={make.error} />
              </div>
            )}
            <Group justify="flex-end" mt="lg" gap="xs">
              <Button variant="default" onClick={close}>
                {en.common.cancel}
              </Button>
              <Button loading={make.isPending} onClick={() => make.mutate(member.id)} data-autofocus>
                {words.resetVerb}
              </Button>
            </Group>
          </>
        )}
      </Modal>
    </>
  );
}
