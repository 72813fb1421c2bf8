import { texts } from '../../i18n/texts';
import type { Definition, FlowNode } from '../definition';
import { exitsOf, withExit } from '../graph/exits';
import { summaryOf, titleOf } from '../graph/summary';
import classes from './forms.module.css';
import { PickField } from './pick-field';

const t = texts('flow-forms');

interface Props {
  node: FlowNode;
  definition: Definition;
  onChange: (node: FlowNode) => void;
}

export function ExitsForm({ node, definition, onChange }: Props) {
  const exits = exitsOf(node);
  if (exits.length === 0) return null;
  const options = definition.nodes.map((it) => ({
    value: it.id,
    label: `${titleOf(it)}: ${summaryOf(it)}`.slice(0, 60),
  }));
  return (
    <section className={classes.section} aria-label={t('goesOn')}>
      <h3>{t('goesOn')}</h3>
      {exits.map((it) => (
        <PickField
          key={it.name}
          label={it.label || t('nextStep')}
          field={it.name.includes('/') ? `/${it.name}/next` : `/${it.name}`}
          value={it.to}
          options={options}
          none={it.optional ? t('notApart') : t('nowhere')}
          onChange={(to) => onChange(withExit(node, it.name, to))}
        />
      ))}
    </section>
  );
}
