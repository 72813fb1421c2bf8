import { Link } from '@tanstack/react-router';
import { useWhere } from '../app/here';
import { shortened } from '../components/id';
import classes from './runs.module.css';
import { useContactName } from './runs-api';

export function ContactLink({ id }: { id: string }) {
  const { workspace } = useWhere();
  const name = useContactName(workspace.id, id);
  return (
    <Link to="/contacts/$id" params={{ id }} title={id} className={classes.contact}>
      {name ?? <span className="mono-small">{shortened(id)}</span>}
    </Link>
  );
}
