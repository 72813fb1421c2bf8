import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useWhere } from '../app/here';
import { Code } from '../components/code';
import { Failure } from '../components/states';
import { readFeed } from '../events/api';
import { findEvent } from '../events/find';
import { texts } from '../i18n/texts';
import type { Webhook } from './api';
import type { DeliveryDetail } from './deliveries';
import { requestOf } from './request';
import classes from './webhooks.module.css';

const t = texts('webhooks');

/** The request of a delivery: its headers, and on demand the event from the feed. */
export function RequestParts({ webhook, delivery }: { webhook: Webhook; delivery: DeliveryDetail }) {
  const { workspace } = useWhere();
  const body = useMutation({
    mutationFn: () =>
      findEvent((after, limit) => readFeed(workspace.id, { after, limit }), {
        id: delivery.event_id,
        at: delivery.created_at,
      }),
  });
  const { position: _, ...envelope } = body.data ?? { position: 0 };
  return (
    <>
      <p className={classes.part}>{t('request')}</p>
      <Text c="dimmed" size="sm" mb="xs">
        {t('requestHint')}
      </Text>
      <Code text={requestOf(webhook, delivery, body.data ? envelope : undefined)} what={t('theRequest')} />
      {body.data && webhook.payload === 'thin' && (
        <Text c="dimmed" size="sm" mt="xs">
          {t('bodyThin')}
        </Text>
      )}
      {body.error && <Failure error={body.error} retry={() => body.mutate()} />}
      {body.isSuccess && !body.data && (
        <Text c="dimmed" mt="xs">
          {t('bodyGone')}
        </Text>
      )}
      {!body.data && !body.isSuccess && (
        <Button variant="default" size="xs" mt="xs" loading={body.isPending} onClick={() => body.mutate()}>
          {t('showBody')}
        </Button>
      )}
    </>
  );
}
