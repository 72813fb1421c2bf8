import { useCallback, useMemo, useState } from 'react';
import { texts } from '../../i18n/texts';
import type { Point } from '../definition';
import { arranged } from '../graph/arrange';
import { counted, located } from '../graph/findings';
import { graphOf, shapeOf, type Vertex } from '../graph/graph';
import { placed } from '../graph/layout';
import { summaryOf, triggerInWords } from '../graph/summary';
import type { View } from './elements';
import type { CanvasProps } from './props';

const t = texts('flow-editor');

const NOWHERE: ReadonlyMap<string, Point> = new Map();
const NO_ROUTES = {};

/** All that the canvas renders. Only this hook knows the positions of cards while they are dragged. */
export function useView(props: CanvasProps, selected: readonly string[], chosen: string | undefined) {
  const { definition, onChange, findings, lit, figures, weights, tallies, onWaiting, names } = props;
  const [dragged, setDragged] = useState(NOWHERE);
  const graph = useMemo(() => graphOf(definition), [definition]);
  const shape = shapeOf(graph);
  // biome-ignore lint/correctness/useExhaustiveDependencies: changes of texts do not change positions
  const all = useMemo(() => arranged(graph), [shape]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: changes of texts do not change positions
  const layout = useMemo(() => placed(graph, definition.layout, all.at), [shape, definition.layout, all]);
  // The routes of edges around cards are only valid if all cards are at their arranged positions.
  const routes = layout === all.at ? all.routes : NO_ROUTES;
  const counts = useMemo(() => counted(located(definition, findings ?? [])), [definition, findings]);
  const ids = useMemo(() => new Set(selected), [selected]);
  const summary = useCallback((vertex: Vertex) => inWords(vertex, names), [names]);
  const editable = onChange !== undefined;
  const view = useMemo<View>(
    () => ({
      graph,
      layout,
      routes,
      dragged,
      counts,
      lit,
      selected: ids,
      chosen,
      figures,
      weights,
      tallies,
      onWaiting,
      editable,
      summary,
    }),
    [
      graph,
      layout,
      routes,
      dragged,
      counts,
      lit,
      ids,
      chosen,
      figures,
      weights,
      tallies,
      onWaiting,
      editable,
      summary,
    ],
  );
  return { view, setDragged };
}

function inWords({ node, trigger }: Vertex, names: CanvasProps['names']): string {
  if (node) return summaryOf(node, names);
  return trigger ? triggerInWords(trigger) : t('triggerOfApiHint');
}
