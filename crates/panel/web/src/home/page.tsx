import { useLocalStorage } from '@mantine/hooks';
import { useWhere } from '../app/here';
import { Page } from '../components/page';
import { texts } from '../i18n/texts';
import { Attention } from './attention';
import { FirstSteps } from './first-steps';
import { Overview } from './overview';
import { Traffic } from './traffic';

const t = texts('home');
const common = texts('common');

/** Where one begins: the first call, then what the workspace does. */
export function Home() {
  const { workspace, role, administers } = useWhere();
  const [hidden, setHidden] = useLocalStorage<string[]>({ key: 'tidings-steps-hidden', defaultValue: [] });
  const overview = { path: '/api/v1/analytics/overview' };
  return (
    <Page
      title={t('title')}
      description={administers ? undefined : t('description', { role: common(`roles.${role}`) })}
      call={overview}
    >
      {administers && !hidden.includes(workspace.id) && (
        <FirstSteps onHide={() => setHidden([...hidden, workspace.id])} />
      )}
      <Attention />
      {administers && <Traffic />}
      <Overview />
    </Page>
  );
}
