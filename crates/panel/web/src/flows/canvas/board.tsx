import '@xyflow/react/dist/base.css';
import {
  Background,
  BackgroundVariant,
  type Connection,
  type EdgeChange,
  MiniMap,
  type NodeChange,
  ReactFlow,
  useStore,
} from '@xyflow/react';
import { useCallback, useState } from 'react';
import { texts } from '../../i18n/texts';
import { connect, moved } from '../graph/edit';
import { AddMenu } from './add-menu';
import { Adding } from './adding';
import classes from './board.module.css';
import { Card } from './card';
import { Controls } from './controls';
import type { CardNode, WayEdge } from './elements';
import { isFar, LEAST, wordSize } from './framing';
import type { CanvasProps } from './props';
import { useDrop } from './use-drop';
import { useElements } from './use-elements';
import { useFraming } from './use-framing';
import { useKeys } from './use-keys';
import { useOffer } from './use-offer';
import { useReveal } from './use-reveal';
import { useView } from './use-view';
import { Way } from './way';

const t = texts('flow-editor');
const NODE_TYPES = { card: Card };
const EDGE_TYPES = { way: Way };
const HIDE = { hideAttribution: true };
const MAP_FROM = 30;

export function Board(props: CanvasProps) {
  const { definition, onChange, onSelect } = props;
  const [own, setOwn] = useState<readonly string[]>([]);
  const [chosen, setChosen] = useState<string>();
  const selected = props.selected ?? own;
  const select = useCallback(
    (ids: string[]) => {
      setOwn(ids);
      onSelect?.(ids);
    },
    [onSelect],
  );
  const { view, setDragged } = useView(props, selected, chosen);
  const { nodes, edges } = useElements(view);
  const framing = useFraming(view);
  const size = useStore(({ transform }) => wordSize(transform[2]));
  const far = useStore(({ transform }) => isFar(transform[2]));

  const onNodesChange = (changes: NodeChange<CardNode>[]) => {
    const chosenIds = new Set(selected);
    let selects = false;
    for (const change of changes) {
      if (change.type === 'position' && change.position && change.dragging) {
        const { id, position } = change;
        setDragged((before) => new Map(before).set(id, position));
      } else if (change.type === 'select') {
        selects = true;
        if (change.selected) chosenIds.add(change.id);
        else chosenIds.delete(change.id);
      }
    }
    if (selects) select([...chosenIds]);
  };
  const onEdgesChange = (changes: EdgeChange<WayEdge>[]) => {
    for (const change of changes)
      if (change.type === 'select')
        setChosen((it) => (change.selected ? change.id : it === change.id ? undefined : it));
  };
  /** Moving a card stores the positions of all cards. */
  const onDragStop = () => {
    const points = Object.fromEntries(nodes.map((it) => [it.id, it.position]));
    if (view.dragged.size > 0) onChange?.(moved(definition, points));
    setDragged(new Map());
  };
  const onConnect = ({ source, sourceHandle, target }: Connection) =>
    onChange?.(connect(definition, source, sourceHandle ?? 'next', target));
  const { offer, open, close, onConnectEnd } = useOffer();
  useReveal(view, props.selected);
  const keys = useKeys({ view, selected, select, chosen, definition, onChange });

  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the cards in it take the focus */}
      <div
        className={classes.board}
        style={{ '--card-words': `${size}px` } as React.CSSProperties}
        data-far={far || undefined}
        onKeyDown={keys}
      >
        <Adding value={props.onAdd && open}>
          <ReactFlow
            nodes={nodes}
            edges={edges}
            nodeTypes={NODE_TYPES}
            edgeTypes={EDGE_TYPES}
            onNodesChange={onNodesChange}
            onEdgesChange={onEdgesChange}
            onNodeDragStop={onDragStop}
            onSelectionDragStop={onDragStop}
            onConnect={onConnect}
            onConnectEnd={props.onAdd && onConnectEnd}
            connectOnClick={false}
            onReconnect={(_, connection) => onConnect(connection)}
            onInit={framing.first}
            onMoveStart={framing.onMoveStart}
            {...useDrop(props.onAdd)}
            nodesDraggable={onChange !== undefined}
            nodesConnectable={onChange !== undefined}
            edgesReconnectable={onChange !== undefined}
            edgesFocusable={false}
            nodesFocusable={false}
            disableKeyboardA11y
            deleteKeyCode={null}
            selectNodesOnDrag={false}
            nodeDragThreshold={4}
            connectionRadius={40}
            minZoom={LEAST}
            maxZoom={1.5}
            proOptions={HIDE}
            aria-label={t('canvas')}
          >
            <Background variant={BackgroundVariant.Dots} gap={24} size={1.5} color="var(--canvas-dot)" />
            {nodes.length > MAP_FROM && (
              <MiniMap pannable zoomable ariaLabel={t('map')} className={classes.map} nodeBorderRadius={8} />
            )}
            <Controls definition={definition} onChange={onChange} fit={framing.fit} />
          </ReactFlow>
        </Adding>
      </div>
      {/* Outside of the canvas, which must not handle the keys of the menu. */}
      {offer && props.onAdd && <AddMenu offer={offer} onPick={props.onAdd} onClose={close} />}
    </>
  );
}
