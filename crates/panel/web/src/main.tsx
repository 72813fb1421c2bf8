import { createRoot } from 'react-dom/client';
import './app/fonts.css';
import './app/mantine.css';
import './app/global.css';
import { loadPart } from './api/connection';
import { followAccountLanguage } from './app/account-language';
import { App } from './app/app';
import { rememberVisits } from './app/require-session';
import { session } from './app/session';
import { cannotLoad } from './i18n/cannot-load';

rememberVisits();
followAccountLanguage();
void session.restore();
const place = document.getElementById('root') as HTMLElement;
loadPart(async () => ({ Panel: App })).then(
  ({ Panel }) => createRoot(place).render(<Panel />),
  () => place.replaceChildren(cannotLoad()),
);
