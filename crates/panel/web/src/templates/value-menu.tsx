import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { IconBraces } from '@tabler/icons-react';
import { useBotFields, useCustomFields } from '../conditions/use-fields';
import { texts } from '../i18n/texts';

const common = texts('common');
const ATTRIBUTES = ['first_name', 'last_name', 'email', 'phone'];

/** The placeholder for a name. */
export const expressionOf = (name: string) => `{{ ${name} }}`;

interface Props {
  onInsert: (text: string) => void;
  /** Names that only this template can use. */
  own?: string[];
  /** Entries before the names. */
  children?: React.ReactNode;
}

/** A menu that inserts a value into a template. */
export function ValueMenu({ onInsert, own = [], children }: Props) {
  const { data: custom } = useCustomFields();
  const { data: bot } = useBotFields();
  const names = [
    ...ATTRIBUTES.map((it) => `contact.${it}`),
    ...own,
    ...(custom ?? []).map((it) => `custom_fields.${it.key}`),
    ...(bot ?? []).map((it) => `bot_fields.${it.key}`),
    'now',
  ];
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Tooltip label={common('insertValue')}>
          <ActionIcon variant="subtle" color="gray" aria-label={common('insertValue')}>
            <IconBraces size={15} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
        {children}
        {names.map((name) => (
          <ValueItem key={name} name={name} onInsert={onInsert} />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

export function ValueItem({ name, onInsert }: { name: string; onInsert: (text: string) => void }) {
  return (
    <Menu.Item onClick={() => onInsert(expressionOf(name))}>
      <code>{name}</code>
    </Menu.Item>
  );
}
