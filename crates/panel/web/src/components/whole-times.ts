import { createContext } from 'react';

/** Whether relative times are followed by the date and the time, such as in details. Lists have them as tooltips. */
export const WholeTimes = createContext(false);
