import { Button, Title } from '@mantine/core';
import { IconFlask } from '@tabler/icons-react';
import { useWhere } from '../app/here';
import { Details } from '../components/details';
import { Failure } from '../components/states';
import { texts } from '../i18n/texts';
import { useMakeSandbox } from './api';
import classes from './sandbox.module.css';

const t = texts('sandbox');

const FACTS = ['data', 'keys', 'capture', 'events', 'limit'] as const;

/** Describes the sandbox and creates it, if there is none yet. */
export function MakeSandbox() {
  const { live } = useWhere();
  const make = useMakeSandbox(live.id);
  return (
    <section className={classes.make} aria-labelledby="make-sandbox">
      <Title order={2} id="make-sandbox">
        {t('createTitle')}
      </Title>
      <p className="dimmed">{t('createText', { name: live.name })}</p>
      <div className={classes.facts}>
        <Details rows={FACTS.map((it) => [t(`facts.${it}.title`), t(`facts.${it}.text`)])} />
      </div>
      {make.error && <Failure error={make.error} />}
      <Button
        leftSection={<IconFlask size={16} aria-hidden />}
        loading={make.isPending}
        onClick={() => make.mutate()}
      >
        {t('createSandbox')}
      </Button>
    </section>
  );
}
