import { Textarea, TextInput } from '@mantine/core';
import { useInsert } from '../../templates/use-insert';
import { useSurroundings } from './context';
import { Placeholders } from './placeholders';

interface Props {
  label: string;
  hint?: string;
  /** The pointer of the text, relative to the node. */
  field: string;
  value: string | undefined;
  onChange: (text: string) => void;
  /** Whether the text has several lines. */
  long?: boolean;
  mono?: boolean;
  placeholder?: string;
  /** Whether the text is a template. */
  template?: boolean;
  /** Whether the template can use secrets. */
  secrets?: boolean;
}

export function TextField(props: Props) {
  const { label, hint, field, value = '', onChange, long, mono, placeholder, template, secrets } = props;
  const { marks } = useSurroundings();
  const { insert, field: inserted } = useInsert(value, onChange);
  const common = {
    ...inserted,
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
    rightSection: template ? <Placeholders onInsert={insert} secrets={secrets} /> : undefined,
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
