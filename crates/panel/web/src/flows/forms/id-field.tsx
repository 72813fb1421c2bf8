import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { texts } from '../../i18n/texts';
import type { Definition } from '../definition';
import { idsOf } from '../graph/blank';
import classes from './forms.module.css';

const t = texts('flow-forms');

interface Props {
  definition: Definition;
  id: string;
  onChange: (id: string) => void;
}

/** The ID of a node. It changes when the field loses the focus. */
export function IdField({ definition, id, onChange }: Props) {
  const [text, setText] = useState(id);
  const wanted = text.trim();
  const taken = wanted !== id && idsOf(definition).includes(wanted);
  const fits = wanted !== '' && !taken;
  return (
    <section className={classes.section} aria-label={t('id')}>
      <TextInput
        label={t('id')}
        description={t('idHint')}
        value={text}
        maxLength={64}
        spellCheck={false}
        autoComplete="off"
        error={taken ? t('idTaken') : undefined}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={() => {
          if (fits && wanted !== id) onChange(wanted);
          else if (!fits) setText(id);
        }}
        onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
      />
    </section>
  );
}
