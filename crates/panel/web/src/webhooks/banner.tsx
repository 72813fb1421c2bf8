import { Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useWhere } from '../app/here';
import { Failure } from '../components/states';
import { en } from '../i18n/en';
import { useAct, type Webhook } from './api';
import classes from './webhooks.module.css';

const words = en.webhooks;

/** Why a webhook gets nothing, and the way back. */
export function Banner({ webhook }: { webhook: Webhook }) {
  const { workspace } = useWhere();
  const act = useAct(workspace.id, webhook.id);
  if (webhook.status === 'active') return null;
  const disabled = webhook.status === 'disabled';
  return (
    <section className={classes.banner} data-tone={disabled ? 'bad' : undefined}>
      <div className={classes.bannerWords}>
        <Text fw={600}>{disabled ? words.disabledTitle : words.pausedTitle}</Text>
        {webhook.disabled_reason && <p>{webhook.disabled_reason}</p>}
        <p className="dimmed">{disabled ? words.disabledHint : words.pausedHint}</p>
        {disabled && <Link to="/events">{words.openFeed}</Link>}
        {act.error && <Failure error={act.error} />}
      </div>
      <Button loading={act.isPending} onClick={() => act.mutate('enable')}>
        {words.enable}
      </Button>
    </section>
  );
}
