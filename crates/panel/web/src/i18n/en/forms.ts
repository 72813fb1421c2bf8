/** Forms that delete an object. */
export default {
  removeAnyway: 'Delete anyway',
  inUse: 'These objects use it and would lose it:',
} as const;
