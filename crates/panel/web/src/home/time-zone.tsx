import { Button, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Failure } from '../components/states';
import { toasts } from '../components/toasts';
import { texts } from '../i18n/texts';
import { readWorkspace, useSaveWorkspace } from '../settings/api';
import classes from './attention.module.css';

const t = texts('settings');

interface Props {
  workspace: string;
  zone: string;
  /** Keeps UTC and does not ask again. */
  onKeep: () => void;
}

/** Asks once whether a workspace in UTC should use the time zone of the browser. */
export default function TimeZoneOffer({ workspace, zone, onKeep }: Props) {
  const save = useSaveWorkspace(workspace);
  const change = useMutation({
    mutationFn: async () => {
      const { etag } = await readWorkspace(workspace);
      await save.mutateAsync({ body: { time_zone: zone }, etag });
    },
    onSuccess: () => toasts.show({ text: t('zoneOffer.done', { zone }) }),
  });
  return (
    <section className={classes.card} aria-labelledby="time-zone">
      <h2 id="time-zone">{t('zoneOffer.title', { zone })}</h2>
      <p className="dimmed">{t('zoneOffer.hint')}</p>
      {change.error && <Failure error={change.error} />}
      <Group gap="xs" mt="sm">
        <Button loading={change.isPending} onClick={() => change.mutate()}>
          {t('zoneOffer.use', { zone })}
        </Button>
        <Button variant="default" disabled={change.isPending} onClick={onKeep}>
          {t('zoneOffer.keep')}
        </Button>
      </Group>
    </section>
  );
}
