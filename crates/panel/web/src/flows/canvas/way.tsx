import { BaseEdge, EdgeLabelRenderer, type EdgeProps } from '@xyflow/react';
import { memo } from 'react';
import { texts } from '../../i18n/texts';
import { curve } from './curve';
import type { WayEdge } from './elements';
import { Plus } from './plus';
import classes from './way.module.css';

const t = texts('flow-editor');

const PORT = 5;
const THIN = 1.5;
const THICK = 6;

/** The width of an edge that has this share of all runs leaving its node. */
const thickness = (share: number) => THIN + (THICK - THIN) * share;

function insertLabel(step: string, exit: string): string {
  return exit ? t('insertAfterExit', { step, exit }) : t('insertAfter', { step });
}

/** An edge from an exit to a node, with its number. */
export const Way = memo(function Way(props: EdgeProps<WayEdge>) {
  const { id, data, selected } = props;
  // Half of a port is outside of its card, but an edge ends at the card.
  const ends = { ...props, sourceY: props.sourceY - PORT, targetY: props.targetY + PORT };
  const { path, labelX, labelY } = curve(ends, data?.route);
  const state = data?.lit ? 'lit' : selected ? 'chosen' : undefined;
  const transform = `translate(-50%, -50%) translate(${labelX}px, ${labelY}px)`;
  return (
    <>
      <BaseEdge
        id={id}
        path={path}
        className={classes.way}
        data-state={state}
        style={data?.weight === undefined ? undefined : { strokeWidth: thickness(data.weight) }}
        interactionWidth={16}
      />
      {data?.figure !== undefined && (
        <EdgeLabelRenderer>
          <span className={classes.figure} data-state={state} style={{ transform }}>
            {data.figure}
          </span>
        </EdgeLabelRenderer>
      )}
      {data?.editable && (
        <EdgeLabelRenderer>
          <Plus
            label={insertLabel(data.title, data.exit)}
            after={{ from: props.source, exit: props.sourceHandleId ?? 'next' }}
            stop={data.stop}
            style={{ position: 'absolute', transform }}
          />
        </EdgeLabelRenderer>
      )}
    </>
  );
});
