import { Menu } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useWhere } from '../../app/here';
import { GuardedModal } from '../../components/guarded';
import { texts } from '../../i18n/texts';
import { useSecrets } from '../../secrets/api';
import { SecretForm } from '../../secrets/form';
import { expressionOf, ValueItem, ValueMenu } from '../../templates/value-menu';
import { useSurroundings } from './context';
import { useRevalidate } from './use-revalidate';
import { variablesOf } from './variables';

const secretTexts = texts('secrets');

interface Props {
  onInsert: (text: string) => void;
  /** Whether secrets are included. Only requests can use them. */
  secrets?: boolean;
}

/** A menu that inserts a placeholder of a template. */
export function Placeholders({ onInsert, secrets }: Props) {
  const { definition } = useSurroundings();
  const { administers } = useWhere();
  const [creating, create] = useState(false);
  const revalidate = useRevalidate();
  return (
    <>
      <ValueMenu onInsert={onInsert} own={variablesOf(definition).map((it) => `vars.${it}`)}>
        {secrets && <SecretNames onInsert={onInsert} />}
        {secrets && administers && (
          <Menu.Item leftSection={<IconPlus size={14} />} onClick={() => create(true)}>
            {secretTexts('create')}
          </Menu.Item>
        )}
        {secrets && <Menu.Divider />}
      </ValueMenu>
      {secrets && (
        <GuardedModal opened={creating} onClose={() => create(false)} title={secretTexts('create')}>
          <SecretForm
            onDone={() => create(false)}
            onCreated={(name) => {
              onInsert(expressionOf(`secrets.${name}`));
              void revalidate();
            }}
          />
        </GuardedModal>
      )}
    </>
  );
}

/** The secrets of the workspace. They are loaded when the menu opens. */
function SecretNames({ onInsert }: { onInsert: (text: string) => void }) {
  const { workspace } = useWhere();
  const { data } = useSecrets(workspace.id);
  const all = data?.pages.flatMap((page) => page.data) ?? [];
  return all.map((it) => <ValueItem key={it.name} name={`secrets.${it.name}`} onInsert={onInsert} />);
}
