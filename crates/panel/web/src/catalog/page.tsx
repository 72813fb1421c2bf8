import { useCallback } from 'react';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { useSearchState } from '../app/search-state';
import { FindBox } from '../components/find-box';
import { GuardedDrawer } from '../components/guarded';
import { ResourcePage } from '../components/resource-page';
import { texts } from '../i18n/texts';
import type { Catalog, Row } from './catalog';
import { CreateForm } from './create-form';
import { EditForm } from './edit-form';
import { filtered, loadedRows } from './rows';
import type { CatalogSearch } from './search';

const t = texts('catalog');

/** The page of a catalog: its rows, and the open row in a drawer. */
export function CatalogPage<It extends Row, Draft extends object>({ of }: { of: Catalog<It, Draft> }) {
  const { role } = useWhere();
  const [{ q = '', open, create }, show] = useSearchState<CatalogSearch>();
  const find = useCallback((text: string | undefined) => show({ q: text }), [show]);
  const close = () => show({ create: undefined, open: undefined, filter: undefined });
  const loaded = loadedRows(of.list);
  // If the server filters, only the number of matching rows is known.
  const all = 'all' in of.list ? loaded?.length : undefined;
  return (
    <ResourcePage
      title={of.words('title')}
      description={of.words('description')}
      call={of.call}
      create={
        mayWrite(role) && {
          label: of.words('create'),
          onClick: () => show({ create: true, open: undefined }),
        }
      }
      list={filtered(of.list, q)}
      columns={of.columns}
      rowKey={(it) => it.id}
      openKey={open}
      onOpen={(it) => show({ open: it.id, create: undefined })}
      filters={<FindBox label={of.words('filter')} value={q} onChange={find} />}
      isFiltered={q !== ''}
      noMatch={{ title: t('noMatch', { text: q }), hint: t('noMatchHint'), clear: t('clear') }}
      onClear={() => find(undefined)}
      count={(shown) => countText(shown, all)}
      empty={{ title: t('emptyTitle'), text: of.words('emptyText'), call: of.example }}
    >
      <GuardedDrawer
        opened={(create === true && mayWrite(role)) || open !== undefined}
        onClose={close}
        size={of.width}
        title={open ? (loaded?.find((it) => it.id === open)?.name ?? of.words('title')) : of.words('create')}
      >
        {open ? (
          <EditForm key={open} of={of} id={open} onGone={close} />
        ) : (
          <CreateForm of={of} onDone={close} />
        )}
      </GuardedDrawer>
    </ResourcePage>
  );
}

const countText = (shown: number, all = shown) =>
  shown === all ? t('count', { count: all }) : t('countOf', { shown, all });
