import { Page } from '../components/page';
import { en } from '../i18n/en';

export function Sandbox() {
  return <Page title={en.sandbox.title}>…</Page>;
}
