import { ChoiceCards } from '../components/choice-cards';
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

/** What each scope may do, to choose one. */
export function ScopeCards(props: Props) {
  const choices = SCOPES.map((value) => {
    const { methods, says } = en.keys.scopes[value];
    return { value, says, aside: methods };
  });
  return <ChoiceCards<Scope> label={en.keys.scope} choices={choices} {...props} />;
}
