import { createRoot } from 'react-dom/client';
import './app/fonts.css';
import './app/mantine.css';
import './app/global.css';
import { App } from './app/app';
import { rememberVisits } from './app/require-session';
import { session } from './app/session';

rememberVisits();
void session.restore();
createRoot(document.getElementById('root') as HTMLElement).render(<App />);
