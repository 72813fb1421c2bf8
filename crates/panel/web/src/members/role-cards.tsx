import { Radio } from '@mantine/core';
import { en } from '../i18n/en';
import type { Role } from './rights';
import classes from './role-cards.module.css';

interface Props {
  label: string;
  /** Those that may be chosen. */
  roles: Role[];
  value: Role;
  onChange: (role: Role) => void;
  error?: string;
}

/** One card for each role, which says what it may do. */
export function RoleCards({ label, roles, value, onChange, error }: Props) {
  return (
    <Radio.Group
      label={label}
      value={value}
      onChange={(role) => onChange(role as Role)}
      error={error}
      classNames={{ label: classes.label }}
    >
      <div className={classes.cards}>
        {roles.map((role) => (
          <Radio.Card key={role} value={role} className={classes.card}>
            <Radio.Indicator aria-hidden />
            <span className={classes.words}>
              <b>{role}</b>
              <span className="dimmed">{en.members.roles[role]}</span>
            </span>
          </Radio.Card>
        ))}
      </div>
    </Radio.Group>
  );
}
