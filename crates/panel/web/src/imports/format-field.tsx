import { Radio, Select, Stack } from '@mantine/core';
import type { components } from '../api/schema';
import { texts } from '../i18n/texts';
import type { Column, Proposal } from './check';
import type { Decision } from './decisions';
import { formatName, formatOptions, reading } from './formats';
import { kindOf } from './targets';

const t = texts('imports');

interface Props {
  name: string;
  target: string;
  column: Column;
  decision: Decision | undefined;
  /** Whether the user must select a country. The select then does not show the format of the check. */
  needsCountry: boolean;
  fields: components['schemas']['CustomField'][];
  onDecide: (decision: Decision) => void;
}

/** The format of a column: a question with examples if it is ambiguous, otherwise a select. */
export function FormatField({ name, target, column, decision, needsCountry, fields, onDecide }: Props) {
  const kind = kindOf(target, fields);
  const isRead = column.target === target;
  const open = isRead && !decision?.format ? column.proposals : [];
  const among = open.length > 0 ? open : (decision?.among ?? []);
  const choose = (format: string) =>
    onDecide({ target, format, among: among.length > 0 ? among : undefined });
  if (!kind) return null;
  return (
    <Stack gap="xs">
      {among.length > 0 && (
        <Radio.Group
          label={t('readAs', { column: name })}
          value={decision?.format ?? ''}
          onChange={(format) => choose(format as string)}
        >
          <Stack gap={6} mt={4}>
            {among.map((it) => (
              <Radio key={it.format} value={it.format} label={exampleOf(it)} />
            ))}
          </Stack>
        </Radio.Group>
      )}
      {/* A phone number may be from a country without a proposal. */}
      {(among.length === 0 || kind === 'phone') && (
        <Select
          aria-label={t('formatOf', { column: name })}
          data={formatOptions(kind)}
          value={decision?.format ?? (isRead && !needsCountry ? column.format : null)}
          placeholder={needsCountry ? t('chooseCountry') : t('format')}
          allowDeselect={false}
          searchable={kind === 'phone' || kind === 'date_time'}
          maxDropdownHeight={320}
          onChange={(format) => format && choose(format)}
        />
      )}
    </Stack>
  );
}

/** "03/04/2026 → 3 April 2026" */
function exampleOf({ format, example }: Proposal): string {
  if (!example) return formatName(format);
  return t('proposal', { value: example.value, reading: reading(example.read_as, format) });
}
