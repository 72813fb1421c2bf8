import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { apiIn } from '../api/client';
import { useWhere } from '../app/here';
import { Code } from '../components/code';
import { Id } from '../components/id';
import { Page } from '../components/page';
import { Empty, Failure, Waiting } from '../components/states';
import { texts } from '../i18n/texts';
import { pathOf } from './kinds';

const t = texts('settings');

/** Shows any object as JSON. */
export function Inspector() {
  const { id } = useParams({ from: '/shell/objects/$id' });
  const { workspace } = useWhere();
  const path = pathOf(id);
  const object = useQuery({
    queryKey: ['object', workspace.id, id],
    enabled: path !== undefined,
    // The path is derived from the ID, so it cannot be typed.
    queryFn: (): Promise<unknown> => apiIn(workspace.id).GET(path as never, {} as never),
  });
  return (
    <Page title={t('object.title')} beside={<Id id={id} whole />} call={path ? { path } : undefined}>
      {!path ? (
        <Empty title={t('object.unknown')}>{t('object.unknownHint')}</Empty>
      ) : object.error ? (
        <Failure error={object.error} retry={() => void object.refetch()} />
      ) : object.isPending ? (
        <Waiting />
      ) : (
        <Code text={JSON.stringify(object.data, null, 2)} what={t('object.code')} />
      )}
    </Page>
  );
}
