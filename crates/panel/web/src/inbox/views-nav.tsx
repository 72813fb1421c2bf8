import { Link } from '@tanstack/react-router';
import { useWhere } from '../app/here';
import { number } from '../i18n/format';
import { texts } from '../i18n/texts';
import classes from './list.module.css';
import { type Count, useViewCounts } from './view-counts';
import { type InboxSearch, VIEWS } from './views';

const t = texts('inbox');

interface Props {
  search: InboxSearch;
  /** The number of conversations in the open view. */
  current: Count | undefined;
}

/** The views of the inbox, each with its number of conversations. */
export function ViewsNav({ search, current }: Props) {
  const { workspace } = useWhere();
  const counts = useViewCounts(workspace.id, search);
  const view = search.view ?? 'open';
  return (
    <nav className={classes.views} aria-label={t('viewsLabel')}>
      {VIEWS.map((it) => {
        const count = it === view ? (current ?? counts?.[it]) : counts?.[it];
        return (
          <Link
            key={it}
            to="."
            search={(before: InboxSearch) => ({ ...before, view: it === 'open' ? undefined : it })}
            className={classes.view}
            activeOptions={{ exact: true, includeSearch: true, explicitUndefined: true }}
            aria-current={it === view ? 'page' : undefined}
          >
            {t(`views.${it}`)}
            {count && <span className="figures">{countText(count)}</span>}
          </Link>
        );
      })}
    </nav>
  );
}

/** The text of a count: "12", "500+". */
function countText({ count, more }: Count): string {
  return more ? t('capped', { count }) : number(count);
}
