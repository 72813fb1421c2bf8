import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { Call } from './curl';
import { FoundList, type ListProps } from './found-list';
import { Page } from './page';
import { Empty } from './states';

interface Props<Row> extends Omit<ListProps<Row>, 'label' | 'empty'> {
  title: string;
  description?: React.ReactNode;
  call: Call;
  /** The button that creates an object. Absent if the user may not create one. */
  create?: { label: string; onClick: () => void } | false;
  /** An empty list: its purpose, and the request that creates the first object. */
  empty: { title: string; text: string; call?: Call };
  /** The drawers and dialogs of the page. */
  children?: React.ReactNode;
}

/** A page that lists objects of one type. */
export function ResourcePage<Row>(props: Props<Row>) {
  const { title, description, call, create, empty, children, ...list } = props;
  const action = create && (
    <Button leftSection={<IconPlus size={16} />} onClick={create.onClick}>
      {create.label}
    </Button>
  );
  return (
    <Page title={title} description={description} call={call} action={action}>
      <FoundList
        {...list}
        label={title}
        empty={
          <Empty title={empty.title} action={action} call={empty.call}>
            {empty.text}
          </Empty>
        }
      />
      {children}
    </Page>
  );
}
