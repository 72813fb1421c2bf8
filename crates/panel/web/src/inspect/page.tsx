import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { api, inWorkspace, value } from '../api/client';
import { useWhere } from '../app/here';
import { Code } from '../components/code';
import { Id } from '../components/id';
import { Page } from '../components/page';
import { Empty, Failure, Waiting } from '../components/states';
import { en } from '../i18n/en';
import { pathOf } from './kinds';

/** Any object, as the API gives it. */
export function Inspector() {
  const { id } = useParams({ from: '/shell/objects/$id' });
  const { workspace } = useWhere();
  const path = pathOf(id);
  const object = useQuery({
    queryKey: ['object', workspace.id, id],
    enabled: path !== undefined,
    // The path is made from the id: the document cannot know its type.
    queryFn: () => value<unknown>(api.GET(path as never, { headers: inWorkspace(workspace.id) } as never)),
  });
  return (
    <Page title={en.inspect.title} beside={<Id id={id} whole />} call={path ? { path } : undefined}>
      {!path ? (
        <Empty title={en.inspect.unknown}>{en.inspect.unknownHint}</Empty>
      ) : object.error ? (
        <Failure error={object.error} retry={() => void object.refetch()} />
      ) : object.isPending ? (
        <Waiting />
      ) : (
        <Code text={JSON.stringify(object.data, null, 2)} what="the object" />
      )}
    </Page>
  );
}
