import { ChoiceCards } from '../components/choice-cards';
import { en } from '../i18n/en';
import type { Role } from './rights';

interface Props {
  label: string;
  /** Those that may be chosen. */
  roles: Role[];
  value: Role;
  onChange: (role: Role) => void;
  error?: string;
}

/** What each role may do, to choose one. */
export function RoleCards({ roles, ...props }: Props) {
  const choices = roles.map((value) => ({ value, says: en.members.roles[value] }));
  return <ChoiceCards<Role> choices={choices} {...props} />;
}
