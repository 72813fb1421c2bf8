import { type FinalConnectionState, useReactFlow } from '@xyflow/react';
import { useCallback, useState } from 'react';
import { onGrid } from '../graph/arrange';
import type { Offer } from './add-menu';
import type { OfferSteps } from './adding';

/** Half the width of a card, to centre a new card below the dropped edge. */
const HALF = 120;

/** The place for a new step, after the user pressed a plus button or dropped an edge on the empty canvas. */
export function useOffer() {
  const flow = useReactFlow();
  const [offer, setOffer] = useState<Offer>();
  const open = useCallback<OfferSteps>((place, { x, y }) => setOffer({ place, x, y }), []);
  const onConnectEnd = useCallback(
    (event: MouseEvent | TouchEvent, { fromHandle, toNode, isValid }: DroppedWire) => {
      if (isValid || toNode || fromHandle?.type !== 'source') return;
      const { clientX: x, clientY: y } = 'clientX' in event ? event : (event.changedTouches[0] ?? NOWHERE);
      const at = flow.screenToFlowPosition({ x, y });
      const after = { from: fromHandle.nodeId, exit: fromHandle.id ?? 'next' };
      open({ after, at: onGrid({ x: at.x - HALF, y: at.y }) }, { x, y });
    },
    [flow, open],
  );
  return { offer, open, close: () => setOffer(undefined), onConnectEnd };
}

const NOWHERE = { clientX: 0, clientY: 0 };

type DroppedWire = Pick<FinalConnectionState, 'fromHandle' | 'toNode' | 'isValid'>;
