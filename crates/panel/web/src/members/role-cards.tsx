import { ChoiceCards } from '../components/choice-cards';
import { texts } from '../i18n/texts';
import type { Role } from './rights';

const t = texts('members');
const common = texts('common');

interface Props {
  label: string;
  roles: Role[];
  value: Role;
  onChange: (role: Role) => void;
  error?: string;
}

export function RoleCards({ roles, ...props }: Props) {
  const choices = roles.map((value) => ({
    value,
    name: common(`roles.${value}`),
    says: t(`roles.${value}`),
  }));
  return <ChoiceCards<Role> choices={choices} {...props} />;
}
