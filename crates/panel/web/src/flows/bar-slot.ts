import { createContext, useContext } from 'react';

/** The element in the bar of a flow where its editor shows whether the draft is saved and valid. */
export const BarSlotContext = createContext<HTMLElement | null>(null);

/** The element in the bar, or `null` outside the page of a flow. */
export function useBarSlot(): HTMLElement | null {
  return useContext(BarSlotContext);
}
