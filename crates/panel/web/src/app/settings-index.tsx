import { Navigate } from '@tanstack/react-router';
import { useWhere } from './here';
import { settingsFor } from './rooms';

/** Redirects the settings without a page to the first page that the user may open. */
export function SettingsIndex() {
  const [first] = settingsFor(useWhere()).flatMap(({ rooms }) => rooms);
  return <Navigate to={first?.to ?? '/settings/profile'} replace />;
}
