import { useLocalStorage } from '@mantine/hooks';
import { useWhere } from '../app/here';
import { Page } from '../components/page';
import { en } from '../i18n/en';
import { Attention } from './attention';
import { FirstSteps } from './first-steps';
import { Overview } from './overview';
import { Traffic } from './traffic';

/** Where one begins: the first call, then what the workspace does. */
export function Home() {
  const { workspace, role, administers } = useWhere();
  const [hidden, setHidden] = useLocalStorage<string[]>({ key: 'tidings-steps-hidden', defaultValue: [] });
  const overview = { path: '/api/v1/analytics/overview' };
  return (
    <Page
      title={en.home.title}
      description={administers ? undefined : `${en.home.forYou(role)} ${en.home.noKeys}`}
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
