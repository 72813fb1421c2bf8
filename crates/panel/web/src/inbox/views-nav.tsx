import { Link } from '@tanstack/react-router';
import { useWhere } from '../app/here';
import { useAccount } from '../app/use-session';
import { texts } from '../i18n/texts';
import classes from './list.module.css';
import { type Count, countText, useViewCounts } from './view-counts';
import { type InboxSearch, VIEWS } from './views';

const t = texts('inbox');

interface Props {
  search: InboxSearch;
  /** The count of the open view, as its list knows it. */
  current: Count | undefined;
}

/** The views of the inbox, each with the number of its conversations. */
export function ViewsNav({ search, current }: Props) {
  const { workspace } = useWhere();
  const { user } = useAccount();
  const counts = useViewCounts(workspace.id, search, user.id);
  const view = search.view ?? 'open';
  return (
    <nav className={classes.views} aria-label={t('viewsLabel')}>
      {VIEWS.map((it) => {
        const count = it === view ? (current ?? counts[it]) : counts[it];
        return (
          <Link
            key={it}
            to="."
            search={((before: InboxSearch) => ({ ...before, view: it === 'open' ? undefined : it })) as never}
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
