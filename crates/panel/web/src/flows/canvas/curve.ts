/** Where an edge begins, and where it ends. */
export interface Ends {
  sourceX: number;
  sourceY: number;
  targetX: number;
  targetY: number;
}

/** A drawn edge, and the point at which its words stand. */
export interface Curve {
  path: string;
  labelX: number;
  labelY: number;
}

const BEND = 44;
const ASIDE = 170;

/** Leaves downwards and arrives from above; what leads back goes around on the nearer side. */
export function curve({ sourceX, sourceY, targetX, targetY }: Ends): Curve {
  const fall = targetY - sourceY;
  if (fall > 8) {
    const pull = Math.min(Math.max(fall / 2, 20), 120);
    return {
      path: `M${sourceX},${sourceY}C${sourceX},${sourceY + pull} ${targetX},${targetY - pull} ${targetX},${targetY}`,
      labelX: (sourceX + targetX) / 2,
      labelY: (sourceY + targetY) / 2,
    };
  }
  const side = sourceX >= targetX ? Math.max(sourceX, targetX) + ASIDE : Math.min(sourceX, targetX) - ASIDE;
  const middle = (sourceY + targetY) / 2;
  const path = [
    `M${sourceX},${sourceY}`,
    `C${sourceX},${sourceY + BEND} ${side},${sourceY + BEND} ${side},${middle}`,
    `C${side},${targetY - BEND} ${targetX},${targetY - BEND} ${targetX},${targetY}`,
  ].join('');
  return { path, labelX: side, labelY: middle };
}
