import { Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useWhere } from '../app/here';
import { Failure } from '../components/states';
import { texts } from '../i18n/texts';
import { useAct, type Webhook } from './api';
import classes from './webhooks.module.css';

const t = texts('webhooks');

/** The reason why a webhook gets no events, and the button to enable it. */
export function Banner({ webhook }: { webhook: Webhook }) {
  const { workspace } = useWhere();
  const act = useAct(workspace.id, webhook.id);
  if (webhook.status === 'active') return null;
  const disabled = webhook.status === 'disabled';
  return (
    <section className={classes.banner} data-tone={disabled ? 'bad' : undefined}>
      <div className={classes.bannerWords}>
        <Text fw={600}>{disabled ? t('disabledTitle') : t('pausedTitle')}</Text>
        {webhook.disabled_reason && <p>{webhook.disabled_reason}</p>}
        <p className="dimmed">{disabled ? t('disabledHint') : t('pausedHint')}</p>
        {disabled && <Link to="/events">{t('openFeed')}</Link>}
        {act.error && <Failure error={act.error} />}
      </div>
      <Button loading={act.isPending} onClick={() => act.mutate('enable')}>
        {t('enable')}
      </Button>
    </section>
  );
}
