import { ChoiceCards } from '../components/choice-cards';
import { texts } from '../i18n/texts';
import type { Scope } from './api';
import classes from './scope.module.css';

const t = texts('keys');

const SCOPES = ['read', 'write', 'full'] as const satisfies Scope[];
const METHODS = { read: 'GET', write: 'GET POST PUT PATCH' };

/** The name of a scope. The scope `full` is highlighted. */
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

export function ScopeCards(props: Props) {
  const choices = SCOPES.map((value) => ({
    value,
    says: t(`scopes.${value}`),
    aside: value === 'full' ? t('allMethods') : METHODS[value],
  }));
  return <ChoiceCards<Scope> label={t('scope')} choices={choices} {...props} />;
}
