import { Page } from '../components/page';
import { en } from '../i18n/en';

export function Profile() {
  return <Page title={en.profile.title}>…</Page>;
}
