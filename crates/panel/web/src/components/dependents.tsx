import { Problem } from '../api/problem';
import classes from './dependents.module.css';
import { ObjectLink } from './object-link';
import { typeName } from './type-name';

/** An object that uses another one. */
export interface Dependent {
  type: string;
  id: string;
  name: string;
}

/** The dependents in an `in_use` error, or `undefined` for any other error. */
export function dependentsOf(error: unknown): Dependent[] | undefined {
  if (!(error instanceof Problem) || error.code !== 'in_use') return undefined;
  const all = error.more.dependents;
  return Array.isArray(all) ? (all as Dependent[]) : [];
}

/** A list of dependents with links. */
export function Dependents({ intro, all }: { intro: string; all: Dependent[] }) {
  return (
    <div role="alert" className={classes.dependents}>
      <p>{intro}</p>
      <ul>
        {all.map((it) => (
          <li key={`${it.type} ${it.id}`}>
            <span className="dimmed">{typeName(it.type)}</span> <ObjectLink id={it.id}>{it.name}</ObjectLink>
          </li>
        ))}
      </ul>
    </div>
  );
}
