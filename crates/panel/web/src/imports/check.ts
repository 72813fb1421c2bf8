import type { components } from '../api/schema';

/** The result of a check. */
export type ImportCheck = components['schemas']['ImportCheck'];
export type Column = ImportCheck['columns'][number];
export type Proposal = Column['proposals'][number];

export type Import = components['schemas']['Import'];
export type OnExisting = components['schemas']['OnExisting'];
export type OnError = components['schemas']['OnError'];

/** A parameter of the request, such as `column` with `E-Mail:email`. */
export type Parameter = components['schemas']['ImportParameter'];

/** Whether the column has no heading. The check then names it by its position. */
export const hasNoHeading = ({ heading }: Column, at: number): boolean => heading === `#${at + 1}`;
