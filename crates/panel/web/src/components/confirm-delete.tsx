import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { en } from '../i18n/en';
import { isInspected } from '../inspect/kinds';
import { Confirm } from './confirm';
import { type Dependent, dependentsOf } from './in-use';

interface Props {
  title: string;
  verb: string;
  children: React.ReactNode;
  opened: boolean;
  pending: boolean;
  error: unknown;
  /** Deletes; by force where it is known what depends on it. */
  onConfirm: (force: boolean) => void;
  onClose: () => void;
}

/** Asks once before something is deleted, and shows what depends on it where something does. */
export function ConfirmDelete({ verb, children, error, onConfirm, ...props }: Props) {
  const dependents = dependentsOf(error);
  return (
    <Confirm
      {...props}
      verb={dependents ? en.inUse.verb : verb}
      error={dependents ? undefined : error}
      onConfirm={() => onConfirm(dependents !== undefined)}
    >
      {children}
      {dependents && (
        <div role="alert">
          <Text fw={600} mt="md">
            {en.inUse.title}
          </Text>
          <Text c="dimmed">{en.inUse.hint}</Text>
          <ul>
            {dependents.map((it) => (
              <li key={`${it.type} ${it.id}`}>
                {it.type.replaceAll('_', ' ')} <Named it={it} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </Confirm>
  );
}

function Named({ it }: { it: Dependent }) {
  const name = it.name ?? it.id;
  return isInspected(it.id) ? (
    <Link to="/objects/$id" params={{ id: it.id }}>
      {name}
    </Link>
  ) : (
    <b>{name}</b>
  );
}
