import type { Route } from '../graph/arrange';

/** The start and the end of an edge. */
export interface Ends {
  sourceX: number;
  sourceY: number;
  targetX: number;
  targetY: number;
}

/** The path of an edge, and the position of its label. */
export interface Curve {
  path: string;
  labelX: number;
  labelY: number;
}

const BEND = 44;
const ASIDE = 170;

/** An edge that leaves downwards and arrives from above. An edge to a higher card goes around the cards. */
export function curve({ sourceX, sourceY, targetX, targetY }: Ends, route?: Route): Curve {
  if (route && 'down' in route) return throughLanes([sourceX, sourceY], route.down, [targetX, targetY]);
  if (targetY - sourceY > 8) {
    return {
      path: `M${sourceX},${sourceY}${fall(sourceX, sourceY, targetX, targetY)}`,
      labelX: (sourceX + targetX) / 2,
      labelY: (sourceY + targetY) / 2,
    };
  }
  const nearer = sourceX >= targetX ? Math.max(sourceX, targetX) + ASIDE : Math.min(sourceX, targetX) - ASIDE;
  const side = route ? route.aside : nearer;
  const out = sourceY + BEND / 2;
  const back = targetY - BEND / 2;
  const path = [
    `M${sourceX},${sourceY}`,
    `C${sourceX},${sourceY + BEND} ${side},${out + BEND} ${side},${out - BEND}`,
    `L${side},${back + BEND}`,
    `C${side},${back - BEND} ${targetX},${targetY - BEND} ${targetX},${targetY}`,
  ].join('');
  return { path, labelX: side, labelY: (sourceY + targetY) / 2 };
}

type XY = [x: number, y: number];

function throughLanes(from: XY, lanes: { x: number; top: number; bottom: number }[], to: XY): Curve {
  let [x, y] = from;
  let path = `M${x},${y}`;
  for (const lane of lanes) {
    path += `${fall(x, y, lane.x, lane.top)}L${lane.x},${lane.bottom}`;
    [x, y] = [lane.x, lane.bottom];
  }
  path += fall(x, y, ...to);
  const middle = lanes[Math.floor(lanes.length / 2)];
  return {
    path,
    labelX: middle?.x ?? (from[0] + to[0]) / 2,
    labelY: middle ? (middle.top + middle.bottom) / 2 : (from[1] + to[1]) / 2,
  };
}

function fall(fromX: number, fromY: number, toX: number, toY: number): string {
  const pull = Math.min(Math.max((toY - fromY) / 2, 20), 120);
  return `C${fromX},${fromY + pull} ${toX},${toY - pull} ${toX},${toY}`;
}
