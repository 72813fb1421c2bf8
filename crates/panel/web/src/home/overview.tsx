import { useWhere } from '../app/here';
import { Failure } from '../components/states';
import { texts } from '../i18n/texts';
import { useOverview } from './api';
import { Figure, Figures } from './figure';

const t = texts('home');

/** What the workspace holds, in a line of figures. */
export function Overview() {
  const { workspace } = useWhere();
  const overview = useOverview(workspace.id);
  if (overview.error) return <Failure error={overview.error} retry={() => void overview.refetch()} />;
  const { contacts, totals } = overview.data ?? {};
  return (
    <Figures>
      <Figure name={t('contacts')} value={contacts?.total} />
      <Figure name={t('received')} value={totals?.messages.received} />
      <Figure name={t('sent')} value={totals?.messages.sent} />
    </Figures>
  );
}
