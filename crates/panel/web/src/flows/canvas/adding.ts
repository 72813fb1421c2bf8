import { createContext, useContext } from 'react';
import type { Place } from '../graph/edit';

/** Offers the steps that can be added at a place, in a menu at a point of the window. */
export type OfferSteps = (place: Place, point: { x: number; y: number }) => void;

export const Adding = createContext<OfferSteps | undefined>(undefined);

/** Opens the menu of steps; nothing on a canvas that is only read. */
export function useOfferSteps(): OfferSteps | undefined {
  return useContext(Adding);
}
