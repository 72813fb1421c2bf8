import { nodeTypeName } from '../i18n/node-types';
import type { NodeLabels } from './node-labels';
import classes from './node-name.module.css';

interface Props {
  id: string;
  type?: string;
  labels: NodeLabels;
  /** The title if neither the label nor the type is known. */
  unknown?: string;
  /** Whether a long summary is cut to fit into a list. The tooltip contains the whole summary. */
  short?: boolean;
}

/**
 * A node as on the canvas. Its ID is shown only if another node has the same texts, or if no label is known, such as
 * for a node of an old version.
 */
export function NodeName({ id, type, labels, unknown, short }: Props) {
  const label = labels.get(id) ?? { title: type ? nodeTypeName(type) : unknown, summary: '', id };
  const cut = short
    ? { className: `dimmed ${classes.short}`, title: label.summary }
    : { className: 'dimmed' };
  return (
    <span>
      {label.title && <b>{label.title}</b>} {label.summary && <span {...cut}>{label.summary}</span>}{' '}
      {label.id && <code>{label.id}</code>}
    </span>
  );
}
