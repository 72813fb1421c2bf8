/** The statuses of webhooks, which Home shows, too. */
export const webhookStates = {
  states: { active: 'active', paused: 'paused', disabled: 'disabled' },
  healths: { quiet: 'no attempts', well: 'healthy', unsteady: 'some fail', failing: 'failing' },
};
