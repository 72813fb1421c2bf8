import { Page } from '../components/page';
import { en } from '../i18n/en';

export function Members() {
  return <Page title={en.members.title}>…</Page>;
}
