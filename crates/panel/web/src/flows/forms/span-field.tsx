import { Input } from '@mantine/core';
import { DurationInput } from '../../conditions/duration-input';
import { useSurroundings } from './context';

interface Props {
  label: string;
  hint?: string;
  field: string;
  value: string | undefined;
  onChange: (iso: string | undefined) => void;
}

/** A duration. */
export function SpanField({ label, hint, field, value, onChange }: Props) {
  const { marks } = useSurroundings();
  return (
    <Input.Wrapper
      component="fieldset"
      label={label}
      labelElement="div"
      description={hint}
      {...marks(field)}
      style={{ border: 0, padding: 0, margin: 0 }}
    >
      <DurationInput value={value ?? ''} onChange={(iso) => onChange(iso || undefined)} />
    </Input.Wrapper>
  );
}
