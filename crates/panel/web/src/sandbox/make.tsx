import { Button, Title } from '@mantine/core';
import { IconFlask } from '@tabler/icons-react';
import { useWhere } from '../app/here';
import { Details } from '../components/details';
import { Failure } from '../components/states';
import { en } from '../i18n/en';
import { useMakeSandbox } from './api';
import classes from './sandbox.module.css';

const words = en.sandbox;

/** Where there is no sandbox yet: what it is, and the button that makes it. */
export function MakeSandbox() {
  const { live } = useWhere();
  const make = useMakeSandbox(live.id);
  return (
    <section className={classes.make} aria-labelledby="make-sandbox">
      <Title order={2} id="make-sandbox">
        {words.makeTitle}
      </Title>
      <p className="dimmed">{words.makeText(live.name)}</p>
      <div className={classes.facts}>
        <Details rows={words.facts} />
      </div>
      {make.error && <Failure error={make.error} />}
      <Button
        leftSection={<IconFlask size={16} aria-hidden />}
        loading={make.isPending}
        onClick={() => make.mutate()}
      >
        {words.make}
      </Button>
    </section>
  );
}
