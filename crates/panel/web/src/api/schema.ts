/** The panel is built on the types of the TypeScript client. */
export type * from '../../../../../sdk/typescript/src/schema';
