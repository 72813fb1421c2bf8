import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { apiIn } from '../api/client';
import { useWhere } from '../app/here';
import { Failure } from '../components/states';
import { texts } from '../i18n/texts';
import { useChannels } from './api';
import classes from './card.module.css';
import { Span, StateMark } from './marks';
import { type Conversation, lastOf } from './views';

const t = texts('inbox');

/** The contact's conversations on other channels, and the number of times that the open one was reopened. */
export function OtherConversations({ of }: { of: Conversation }) {
  const { workspace } = useWhere();
  const channels = useChannels(workspace.id);
  const all = useContactConversations(workspace.id, of.contact_id);
  const others = (all.data ?? []).filter((it) => it.id !== of.id);
  return (
    <section aria-label={t('others.title')}>
      <h3 className={classes.title}>{t('others.title')}</h3>
      {of.reopen_count > 0 && (
        <p className={classes.note}>{t('others.reopened', { count: of.reopen_count })}</p>
      )}
      {all.error && !all.data && <Failure error={all.error} retry={() => void all.refetch()} />}
      {all.data && others.length === 0 && <p className={classes.note}>{t('others.none')}</p>}
      <ul className={classes.others}>
        {others.map((it) => (
          <li key={it.id}>
            <Link
              to="/inbox/{-$conversation}"
              params={{ conversation: it.id }}
              search={(before: object) => before}
            >
              {channels.find((channel) => channel.id === it.channel_id)?.name ?? t('channel')}
            </Link>
            <StateMark of={it} />
            <Span since={lastOf(it)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** All conversations of a contact, at most one for each channel. */
function useContactConversations(ws: string, contact: string) {
  return useQuery({
    queryKey: ['contact-conversations', ws, contact],
    queryFn: async ({ signal }) => {
      const query = { contact_id: contact, sort: '-last_message_at' as const, limit: 20 };
      const params = { query };
      return (await apiIn(ws).GET('/api/v1/conversations', { params, signal })).data;
    },
    staleTime: 30_000,
  });
}
