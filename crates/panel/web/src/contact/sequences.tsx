import { Button, Group, Text, Title } from '@mantine/core';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { Failure } from '../components/states';
import { When } from '../components/when';
import { texts } from '../i18n/texts';
import { type Act, type Contact, type Enrollment, useAct, useEnrollments, useNamed } from './api';
import classes from './contact.module.css';
import { enrollmentStatus } from './told';

const t = texts('contact');

/** The current and former enrollments of a contact. */
export function Sequences({ contact }: { contact: Contact }) {
  const { workspace } = useWhere();
  const asked = useEnrollments(workspace.id, contact.id);
  const { sequences } = useNamed(workspace.id);
  const act = useAct(workspace.id, contact.id);
  const all = asked.data ?? [];
  return (
    <section className={classes.part} aria-labelledby="sequences">
      <Title order={2} id="sequences">
        {t('sequences')}
      </Title>
      {asked.error ? (
        <Failure error={asked.error} retry={() => void asked.refetch()} />
      ) : (
        asked.data && all.length === 0 && <Text c="dimmed">{t('noSequences')}</Text>
      )}
      {all.map((it) => (
        <Line
          key={it.id}
          enrollment={it}
          name={sequences.find(({ id }) => id === it.sequence_id)?.name ?? t('sequence')}
          pending={act.isPending}
          onAct={(next) => act.mutate(next)}
        />
      ))}
      {act.error && (
        <div className={classes.failure}>
          <Failure error={act.error} />
        </div>
      )}
    </section>
  );
}

interface LineProps {
  enrollment: Enrollment;
  name: string;
  pending: boolean;
  onAct: (act: Act) => void;
}

function Line({ enrollment: it, name, pending, onAct }: LineProps) {
  const { role, administers } = useWhere();
  const lives = it.status === 'active' || it.status === 'paused';
  const sequence = it.sequence_id;
  return (
    <div className={classes.line}>
      <div className={classes.sequence}>
        <div>{name}</div>
        <div className="dimmed">
          {it.status === 'active' && it.next_run_at
            ? t.rich('enrollmentNext', {
                status: t('statuses.active'),
                time: <When at={it.next_run_at} canBeFuture />,
              })
            : enrollmentStatus(it.status, it.exit_reason)}
        </div>
      </div>
      {lives && mayWrite(role) && (
        <Group gap={4} wrap="nowrap">
          <Button
            variant="subtle"
            size="compact-sm"
            disabled={pending}
            onClick={() => onAct({ do: it.status === 'paused' ? 'resume' : 'pause', sequence })}
          >
            {it.status === 'paused' ? t('resume') : t('pause')}
          </Button>
          {administers && (
            <Button
              variant="subtle"
              size="compact-sm"
              disabled={pending}
              onClick={() => onAct({ do: 'leave', sequence })}
            >
              {t('remove')}
            </Button>
          )}
        </Group>
      )}
    </div>
  );
}
