import { ActionIcon, Menu, Textarea, TextInput, Tooltip } from '@mantine/core';
import { IconBraces } from '@tabler/icons-react';
import { useRef } from 'react';
import { useBotFields, useCustomFields } from '../../conditions/use-fields';
import { en } from '../../i18n/en';
import { useSurroundings } from './context';
import { variablesOf } from './variables';

const words = en.flowForms;

interface Props {
  label: string;
  hint?: string;
  /** Where the text stands in the node, as pointers name it. */
  field: string;
  value: string;
  onChange: (text: string) => void;
  /** A text of several lines. */
  long?: boolean;
  mono?: boolean;
  placeholder?: string;
  /** Words of a template may stand in it. */
  template?: boolean;
}

/** A text of a node, with what the analyser says of it. */
export function TextField(props: Props) {
  const { label, hint, field, value, onChange, long, mono, placeholder, template } = props;
  const { marks } = useSurroundings();
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const insert = (text: string) => {
    const at = input.current?.selectionStart ?? value.length;
    const to = input.current?.selectionEnd ?? at;
    onChange(value.slice(0, at) + text + value.slice(to));
    input.current?.focus();
  };
  const common = {
    ref: input,
    label,
    description: hint,
    value,
    placeholder,
    ...marks(field),
    autoComplete: 'off',
    spellCheck: !mono,
    styles: mono
      ? { input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }
      : undefined,
    rightSection: template ? <Placeholders onInsert={insert} /> : undefined,
    onChange: (event: React.ChangeEvent<HTMLInputElement & HTMLTextAreaElement>) =>
      onChange(event.currentTarget.value),
  };
  return long ? (
    <Textarea
      {...common}
      autosize
      minRows={2}
      maxRows={12}
      rightSectionProps={{ style: { alignItems: 'start', paddingTop: 4 } }}
    />
  ) : (
    <TextInput {...common} />
  );
}

/** What a template may look up, to put it in. */
function Placeholders({ onInsert }: { onInsert: (text: string) => void }) {
  const { definition } = useSurroundings();
  const { data: custom } = useCustomFields();
  const { data: bot } = useBotFields();
  const item = (name: string) => (
    <Menu.Item key={name} onClick={() => onInsert(`{{ ${name} }}`)}>
      <code>{name}</code>
    </Menu.Item>
  );
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Tooltip label={words.insert}>
          <ActionIcon variant="subtle" color="gray" size="sm" aria-label={words.insert}>
            <IconBraces size={15} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
        {['first_name', 'last_name', 'email', 'phone'].map((it) => item(`contact.${it}`))}
        {variablesOf(definition).map((it) => item(`vars.${it}`))}
        {custom?.map((it) => item(`custom_fields.${it.key}`))}
        {bot?.map((it) => item(`bot_fields.${it.key}`))}
        {item('now')}
      </Menu.Dropdown>
    </Menu>
  );
}
