import { useCallback } from 'react';
import { Choice } from '../components/choice';
import { FindBox } from '../components/find-box';
import { useWhere } from './here';
import { mayWrite } from './places';
import { useSearchState } from './search-state';
import type { ListSearch } from './shell-route';

/** The name of a text of the list's page. */
type Word = 'description' | 'create' | 'filter' | 'status' | 'noMatch' | 'noMatchHint';

interface Options<Status extends string> {
  statuses: readonly Status[];
  nameOf: (status: Status) => string;
  words: (key: Word) => string;
  /** The label of the button that clears the filters. */
  clear: string;
}

/** A list that is filtered by words and status: the filters for its query, and the props of its `ResourcePage`. */
export function useStatusList<Status extends string>({ statuses, nameOf, words, clear }: Options<Status>) {
  const { role } = useWhere();
  const [search, show] = useSearchState<ListSearch>();
  const find = useCallback((q: string | undefined) => show({ q }), [show]);
  const status = statuses.find((it) => it === search.status);
  const writes = mayWrite(role);
  return {
    filter: { q: search.q, status },
    page: {
      description: words('description'),
      create: writes && { label: words('create'), onClick: () => show({ create: true }) },
      filters: (
        <>
          <FindBox label={words('filter')} value={search.q} onChange={find} />
          <Choice
            label={words('status')}
            width={150}
            value={status}
            options={statuses.map((value) => ({ value, label: nameOf(value) }))}
            onChange={(next) => show({ status: next })}
          />
        </>
      ),
      isFiltered: Boolean(search.q || status),
      noMatch: { title: words('noMatch'), hint: words('noMatchHint'), clear },
      onClear: () => show({ q: undefined, status: undefined }),
    },
    /** The props of the dialog that creates an object, if the user may create one. */
    creation: writes && { opened: search.create === true, onClose: () => show({ create: undefined }) },
  };
}
