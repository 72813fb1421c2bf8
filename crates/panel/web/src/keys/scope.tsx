import { Radio } from '@mantine/core';
import { en } from '../i18n/en';
import type { Scope } from './api';
import classes from './scope.module.css';

const SCOPES = ['read', 'write', 'full'] as const satisfies Scope[];

/** The word of a scope; the one that may do everything stands out. */
export function ScopeBadge({ scope }: { scope: Scope }) {
  return (
    <span className={classes.badge} data-scope={scope}>
      {scope}
    </span>
  );
}

interface Props {
  value: Scope;
  onChange: (scope: Scope) => void;
  error?: string;
}

/** One card for each scope, which says what it may do. */
export function ScopeCards({ value, onChange, error }: Props) {
  return (
    <Radio.Group
      label={en.keys.scope}
      value={value}
      onChange={(scope) => onChange(scope as Scope)}
      error={error}
      classNames={{ label: classes.label }}
    >
      <div className={classes.cards}>
        {SCOPES.map((scope) => (
          <Radio.Card key={scope} value={scope} className={classes.card}>
            <Radio.Indicator aria-hidden />
            <span className={classes.words}>
              <span className={classes.head}>
                <b>{scope}</b>
                <code className={classes.methods}>{en.keys.scopes[scope].methods}</code>
              </span>
              <span className="dimmed">{en.keys.scopes[scope].says}</span>
            </span>
          </Radio.Card>
        ))}
      </div>
    </Radio.Group>
  );
}
