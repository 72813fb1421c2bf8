import { texts } from '../../i18n/texts';
import { useNames } from '../build/use-names';
import type { Definition, FlowNode } from '../definition';
import { exitsOf, withExit } from '../graph/exits';
import { labelInWords, labelsOf, type NodeLabel } from '../node-labels';
import classes from './forms.module.css';
import { PickField } from './pick-field';

const t = texts('flow-forms');

interface Props {
  node: FlowNode;
  definition: Definition;
  onChange: (node: FlowNode) => void;
}

export function ExitsForm({ node, definition, onChange }: Props) {
  const names = useNames();
  const exits = exitsOf(node);
  if (exits.length === 0) return null;
  const [labels] = labelsOf(definition, { nodes: [] }, names);
  const options = [...labels].map(([value, label]) => ({ value, label: labelInWords(cut(label)) }));
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

/** The longest summary in an option. */
const LONGEST = 48;

/** Cuts a long summary. The ID stays, because it distinguishes nodes. */
function cut(label: NodeLabel): NodeLabel {
  const isLong = label.summary.length > LONGEST;
  return isLong ? { ...label, summary: `${label.summary.slice(0, LONGEST)}…` } : label;
}
