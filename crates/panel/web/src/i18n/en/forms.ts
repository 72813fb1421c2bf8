export const forms = {
  removeAnyway: 'Delete all the same',
  inUse: 'These name it, and would lose it:',
};
