import { Select } from '@mantine/core';
import { texts } from '../i18n/texts';
import classes from './choice.module.css';
import { labelWidth, wordsWidth } from './label';

const common = texts('common');

interface Props {
  label: string;
  value: string | undefined;
  options: { value: string; label: string }[];
  /** The preferred width in pixels. */
  width: number;
  /** The label for no selection. */
  all?: string;
  /** Whether a value is always selected. */
  required?: boolean;
  disabled?: boolean;
  onChange: (value: string | undefined) => void;
  /** Called when the options are shown, for example to load them. */
  onOpen?: () => void;
}

/** A filter with one value. Its label is inside of the field. */
export function Choice({
  label,
  value,
  options,
  width,
  all: none = common('noFilter'),
  required,
  disabled,
  onChange,
  onOpen,
}: Props) {
  const all = required ? options : [{ value: '', label: none }, ...options];
  const chosen = all.find((it) => it.value === (value ?? ''))?.label ?? '';
  // Widen the field for a long label, up to 320 pixels.
  const wide = Math.min(320, Math.max(width, labelWidth(label) + wordsWidth(chosen) + 44));
  return (
    <Select
      classNames={{ root: classes.choice, section: classes.label }}
      aria-label={label}
      leftSection={label}
      leftSectionWidth={labelWidth(label)}
      style={{ '--choice-width': `${wide}px` }}
      wrapperProps={{ 'data-choice': true }}
      leftSectionPointerEvents="none"
      data={all}
      value={value ?? ''}
      disabled={disabled}
      allowDeselect={false}
      searchable={all.length > 10}
      comboboxProps={{ shadow: 'md', width: 'max-content', position: 'bottom-start' }}
      onChange={(it) => onChange(it || undefined)}
      onDropdownOpen={onOpen}
    />
  );
}
