import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { texts } from '../i18n/texts';
import type { Flow } from './api';

const t = texts('flows');

interface Props {
  flow: Pick<Flow, 'version_published'>;
  /** Opens the editor of the flow. */
  edit: () => void;
}

/** A button for the next step towards the first run of a flow: publish it, or start it for a contact. */
export function FirstRun({ flow, edit }: Props) {
  const { role } = useWhere();
  if (!mayWrite(role)) return null;
  if (flow.version_published === null) return <Button onClick={edit}>{t('openEditor')}</Button>;
  return <Button renderRoot={(props) => <Link to="/contacts" {...props} />}>{t('startForContact')}</Button>;
}
