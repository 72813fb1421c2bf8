import { Button, Group, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { useWhere } from '../app/here';
import { Failure } from '../components/states';
import { texts } from '../i18n/texts';
import { useResetLink } from './api';
import { type Member, resetLink } from './rights';
import { ShownOnce } from './shown-once';

const t = texts('members');

/** Creates a link to reset a member's password, and shows it once. */
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
        {t('reset')}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={make.data ? t('linkTitle') : t('resetTitle', { name })}
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        {make.data ? (
          <div role="status">
            <ShownOnce
              link={resetLink(make.data)}
              whom={t('resetFor', { email: member.email })}
              once={t('resetOnce')}
            >
              <Button onClick={close}>{t('done')}</Button>
            </ShownOnce>
          </div>
        ) : (
          <>
            <Text>{t('resetHint', { name })}</Text>
            {make.error && (
              <div style={{ marginTop: 16 }}>
                <Failure error={make.error} />
              </div>
            )}
            <Group justify="flex-end" mt="lg" gap="xs">
              <Button variant="default" onClick={close}>
                {t('cancel')}
              </Button>
              <Button loading={make.isPending} onClick={() => make.mutate(member.id)} data-autofocus>
                {t('resetVerb')}
              </Button>
            </Group>
          </>
        )}
      </Modal>
    </>
  );
}
