import { useWhere } from '../app/here';
import { Facts } from '../components/facts';
import { Failure } from '../components/states';
import { texts } from '../i18n/texts';
import { useOverview } from './api';
import { Figure } from './figure';

const t = texts('home');

/** The number of contacts and messages. */
export function Overview() {
  const { workspace } = useWhere();
  const overview = useOverview(workspace.id);
  if (overview.error) return <Failure error={overview.error} retry={() => void overview.refetch()} />;
  const { contacts, totals } = overview.data ?? {};
  return (
    <Facts>
      <Figure name={t('contacts')} value={contacts?.total} />
      <Figure name={t('received')} value={totals?.messages.received} />
      <Figure name={t('sent')} value={totals?.messages.sent} />
    </Facts>
  );
}
