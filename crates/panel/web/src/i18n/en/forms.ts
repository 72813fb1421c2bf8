export const forms = {
  conflictTitle: 'Somebody else changed this meanwhile',
};
