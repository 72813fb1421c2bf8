import { IconAlertTriangle, IconCircleX } from '@tabler/icons-react';
import { list } from '../i18n/format';
import { texts } from '../i18n/texts';
import { AttributeWords } from './attribute-words';
import { nodeInWords, type Told } from './finding';
import classes from './findings.module.css';
import type { NodeLabels } from './node-labels';
import { NodeName } from './node-name';
import { placeOf } from './place';

const t = texts('flows');

interface Props {
  label: string;
  findings: Told[];
  /** The definition with the findings. */
  definition: unknown;
  labels: NodeLabels;
  /** Opens the location of a finding. */
  onOpen?: (finding: Told) => void;
}

export function Findings({ label, findings, definition, labels, onOpen }: Props) {
  return (
    <section aria-label={label}>
      <ul className={classes.findings}>
        {findings.map((it) => (
          <li key={`${it.pointer} ${it.code} ${it.message}`} data-severity={it.severity}>
            {it.severity === 'error' ? (
              <IconCircleX size={16} className={classes.bad} aria-label={t('error')} />
            ) : (
              <IconAlertTriangle size={16} className={classes.wait} aria-label={t('warning')} />
            )}
            <div className={classes.words}>
              <span>{it.message}</span>
              {it.hint && <span className="dimmed"> {it.hint}</span>}
              {it.alternatives.length > 0 && (
                <span className="dimmed">
                  {' '}
                  {t('didYouMean', { names: list(it.alternatives, 'disjunction') })}
                </span>
              )}
              <div className={classes.place}>
                {onOpen ? (
                  <button type="button" className={classes.open} onClick={() => onOpen(it)}>
                    <Place definition={definition} pointer={it.pointer} labels={labels} />
                  </button>
                ) : (
                  <span>
                    <Place definition={definition} pointer={it.pointer} labels={labels} />
                  </span>
                )}
                <span className="dimmed">{it.code}</span>
                {it.path.length > 1 && (
                  <span className="dimmed">{it.path.map((id) => nodeInWords(id, labels)).join(' → ')}</span>
                )}
              </div>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface PlaceProps {
  definition: unknown;
  pointer: string;
  labels: NodeLabels;
}

/** The node of a finding as on the canvas, and the attribute with the labels of the forms. */
function Place({ definition, pointer, labels }: PlaceProps) {
  const { node, attribute } = placeOf(definition, pointer);
  if (!node && !attribute) return t('wholeFlow');
  return (
    <>
      {node && <NodeName {...node} labels={labels} short />}
      {node && attribute && '› '}
      {attribute && <AttributeWords attribute={attribute} type={node?.type} />}
    </>
  );
}
