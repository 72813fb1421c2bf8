import { Handle, type NodeProps, Position } from '@xyflow/react';
import { memo } from 'react';
import { texts } from '../../i18n/texts';
import { countsInWords } from '../finding';
import { hasPorts, isStart } from '../graph/graph';
import { cardTitle } from '../graph/summary';
import classes from './card.module.css';
import { type CardNode, portAt } from './elements';
import { nodeIcon, triggerIcon } from './icons';
import { Numbers, WaitingBadge } from './numbers';
import { Plus } from './plus';

const t = texts('flow-editor');

/** A node or trigger: icon, title and summary. */
export const Card = memo(function Card({ data, selected }: NodeProps<CardNode>) {
  const { vertex, summary, counts, tally, onWaiting, lit, stop, editable } = data;
  const Icon = vertex.node ? nodeIcon(vertex.node.type) : triggerIcon(vertex.trigger?.type);
  const title = cardTitle(vertex);
  return (
    <>
      {!isStart(vertex.id) && (
        <Handle type="target" position={Position.Top} isConnectable={editable} className={classes.in} />
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a button would take the pointer from the canvas */}
      <div
        className={classes.card}
        role="button"
        tabIndex={stop ? 0 : -1}
        aria-pressed={selected}
        data-card={vertex.id}
        data-lit={lit}
        data-selected={selected || undefined}
        data-start={isStart(vertex.id) || undefined}
      >
        <div className={classes.head}>
          <Icon size={16} className={classes.icon} aria-hidden />
          <span className={classes.title}>{title}</span>
          {counts && <Dot errors={counts.errors} warnings={counts.warnings} />}
        </div>
        <div className={classes.summary} title={summary}>
          {tally ? <Numbers tally={tally} /> : summary}
        </div>
        {hasPorts(vertex.exits) && (
          <div className={classes.ports}>
            {vertex.exits.map((it) => (
              <span key={it.name} className={classes.port} data-open={!it.to || undefined} title={it.label}>
                {it.label}
              </span>
            ))}
          </div>
        )}
      </div>
      {tally && tally.waiting > 0 && (
        <WaitingBadge
          count={tally.waiting}
          title={title}
          onOpen={onWaiting && (() => onWaiting(vertex.id))}
        />
      )}
      {vertex.exits.map((it, at) => (
        <Handle
          key={it.name}
          id={it.name}
          type="source"
          position={Position.Bottom}
          isConnectable={editable}
          className={classes.out}
          data-open={!it.to || undefined}
          style={{ left: portAt(at, vertex.exits.length, vertex.width) }}
        >
          {editable && !it.to && (
            <Plus
              label={
                hasPorts(vertex.exits)
                  ? t('addAfterExit', { step: title, exit: it.label })
                  : t('addAfter', { step: title })
              }
              after={{ from: vertex.id, exit: it.name }}
              stop={stop}
            />
          )}
        </Handle>
      ))}
    </>
  );
});

/** The number of findings. It is red if they prevent publishing. */
function Dot({ errors, warnings }: { errors: number; warnings: number }) {
  const told = countsInWords({ errors, warnings });
  return (
    <span className={classes.found} data-tone={errors > 0 ? 'bad' : 'wait'} title={told}>
      <span className={classes.dot} />
      {errors + warnings}
    </span>
  );
}
