/** Forms that delete an object. */
export default {
  inUse: 'These objects use it and would lose it:',
} as const;
