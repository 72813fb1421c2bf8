import { useWhere } from '../app/here';
import { Failure } from '../components/states';
import { en } from '../i18n/en';
import { useOverview } from './api';
import { Figure, Figures } from './figure';

/** What the workspace holds, in a line of figures. */
export function Overview() {
  const { workspace } = useWhere();
  const overview = useOverview(workspace.id);
  if (overview.error) return <Failure error={overview.error} retry={() => void overview.refetch()} />;
  const { contacts, totals } = overview.data ?? {};
  return (
    <Figures>
      <Figure name={en.home.contacts} value={contacts?.total} />
      <Figure name={en.home.received} value={totals?.messages.received} />
      <Figure name={en.home.sent} value={totals?.messages.sent} />
    </Figures>
  );
}
