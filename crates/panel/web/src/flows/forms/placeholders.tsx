import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { IconBraces, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useWhere } from '../../app/here';
import { GuardedModal } from '../../components/guarded';
import { useBotFields, useCustomFields } from '../../conditions/use-fields';
import { texts } from '../../i18n/texts';
import { useSecrets } from '../../secrets/api';
import { SecretForm } from '../../secrets/form';
import { useSurroundings } from './context';
import { useRevalidate } from './use-revalidate';
import { variablesOf } from './variables';

const t = texts('flow-forms');
const common = texts('common');
const secretTexts = texts('secrets');
const ATTRIBUTES = ['first_name', 'last_name', 'email', 'phone'];

interface Props {
  onInsert: (text: string) => void;
  /** Whether secrets are allowed: only requests send them. */
  secrets?: boolean;
}

/** The names that a template can use, to insert one. */
export function Placeholders({ onInsert, secrets }: Props) {
  const { definition } = useSurroundings();
  const { administers } = useWhere();
  const { data: custom } = useCustomFields();
  const { data: bot } = useBotFields();
  const [creating, create] = useState(false);
  const revalidate = useRevalidate();
  const insert = (name: string) => onInsert(`{{ ${name} }}`);
  const item = (name: string) => <Name key={name} name={name} onInsert={insert} />;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Tooltip label={t('insert')}>
            <ActionIcon variant="subtle" color="gray" size="sm" aria-label={t('insert')}>
              <IconBraces size={15} />
            </ActionIcon>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
          {secrets && <SecretNames onInsert={insert} />}
          {secrets && administers && (
            <Menu.Item leftSection={<IconPlus size={14} />} onClick={() => create(true)}>
              {secretTexts('create')}
            </Menu.Item>
          )}
          {secrets && <Menu.Divider />}
          {ATTRIBUTES.map((it) => item(`contact.${it}`))}
          {variablesOf(definition).map((it) => item(`vars.${it}`))}
          {custom?.map((it) => item(`custom_fields.${it.key}`))}
          {bot?.map((it) => item(`bot_fields.${it.key}`))}
          {item('now')}
        </Menu.Dropdown>
      </Menu>
      {secrets && (
        <GuardedModal
          opened={creating}
          onClose={() => create(false)}
          title={secretTexts('create')}
          closeButtonProps={{ 'aria-label': common('close') }}
        >
          <SecretForm
            onDone={() => create(false)}
            onCreated={(name) => {
              insert(`secrets.${name}`);
              void revalidate();
            }}
          />
        </GuardedModal>
      )}
    </>
  );
}

/** The secrets of the workspace; they are read when the menu opens. */
function SecretNames({ onInsert }: { onInsert: (name: string) => void }) {
  const { workspace } = useWhere();
  const { data } = useSecrets(workspace.id);
  const all = data?.pages.flatMap((page) => page.data) ?? [];
  return all.map((it) => <Name key={it.name} name={`secrets.${it.name}`} onInsert={onInsert} />);
}

function Name({ name, onInsert }: { name: string; onInsert: (name: string) => void }) {
  return (
    <Menu.Item onClick={() => onInsert(name)}>
      <code>{name}</code>
    </Menu.Item>
  );
}
