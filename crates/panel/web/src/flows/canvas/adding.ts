import { createContext, useContext } from 'react';
import type { Place } from '../graph/edit';

/** Opens a menu of steps for a place, at a point of the window. */
export type OfferSteps = (place: Place, point: { x: number; y: number }) => void;

export const Adding = createContext<OfferSteps | undefined>(undefined);

/** Opens the menu of steps. `undefined` on a read-only canvas. */
export function useOfferSteps(): OfferSteps | undefined {
  return useContext(Adding);
}
