import { IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { useChannels } from '../channels/api';
import { Status } from '../components/status';
import { useSecretMisuses } from '../flows/api';
import { texts } from '../i18n/texts';
import { useUnanswered } from '../inbox/view-counts';
import { useDeadJobs } from '../jobs/api';
import { useStored } from '../storage/api';
import { useWebhooks } from '../webhooks/api';
import classes from './attention.module.css';
import { type Concern, concernsOf } from './concerns';
import { useFailingFlows } from './failing-flows';
import { useSandboxUses } from './sandbox-uses';

const t = texts('home');

export function Attention() {
  const { workspace, role, administers } = useWhere();
  const webhooks = useWebhooks(workspace.id, administers);
  const channels = useChannels(workspace.id);
  const jobs = useDeadJobs(workspace.id);
  const unanswered = useUnanswered(workspace.id);
  const flows = useFailingFlows();
  const misuses = useSecretMisuses(workspace.id).data ?? { named: [], total: 0 };
  const stored = useStored(workspace.id);
  const uses = useSandboxUses(workspace, channels.data ?? []);
  if (!channels.data || !jobs.data || (administers && !webhooks.data)) return null;
  const concerns = concernsOf({
    webhooks: webhooks.data ?? [],
    channels: channels.data,
    workspace,
    writes: mayWrite(role),
    uses,
    dead: jobs.data.pages[0]?.total ?? 0,
    moreDead: jobs.data.pages[0]?.total_is_capped ?? false,
    unanswered: unanswered ?? { count: 0, more: false },
    flows,
    misuses,
    storage: stored.data?.level ?? 'ok',
  });
  // Without the number of unanswered conversations, it is not known whether anything needs attention.
  if (concerns.length === 0 && !unanswered) return null;
  return (
    <section className={classes.card} aria-labelledby="attention">
      <h2 id="attention">{t('attention.title')}</h2>
      {concerns.length === 0 ? (
        <p className="dimmed">{t('attention.nothing')}</p>
      ) : (
        <ul className={classes.list}>
          {concerns.map((it) => (
            <Line key={it.to + it.says} concern={it} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Line({ concern }: { concern: Concern }) {
  return (
    <li>
      <Link to={concern.to} search={concern.search as never} className={classes.line}>
        <Status tone={concern.tone}>{concern.word}</Status>
        <span className={classes.says}>{concern.says}</span>
        <IconChevronRight size={16} className={classes.arrow} aria-hidden />
      </Link>
    </li>
  );
}
