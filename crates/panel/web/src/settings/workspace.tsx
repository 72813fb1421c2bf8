import { Page } from '../components/page';
import { en } from '../i18n/en';

export function WorkspaceSettings() {
  return <Page title={en.workspace.title}>…</Page>;
}
