export const login = {
  title: 'Sign in',
  email: 'E-mail',
  password: 'Password',
  submit: 'Sign in',
  hint: 'The first start of the service prints an e-mail and a password, and keeps them in data/credentials.json.',
  wrong: 'The e-mail address or the password is wrong.',
  throttled: (seconds: number) =>
    `Too many attempts. Try again in ${seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`}.`,
  ended: 'Your session has ended. Sign in to go on.',
  joinTitle: (workspace: string) => `Join ${workspace}`,
  joinAs: (email: string, role: string) => `The invitation was sent to ${email}, to be ${role}.`,
  joinBy: (name: string) => `Invited by ${name}.`,
  name: 'Your name',
  newPassword: 'Choose a password',
  newPasswordHint: 'At least 10 characters.',
  join: 'Join',
  gone: 'This invitation is not open any more',
  goneHint:
    'It was used, taken back, or is older than a week. Ask for a new one, or sign in if you have an account.',
  signedInAs: (email: string) => `You are signed in as ${email}. Joining signs you in as the new account.`,
  joinSignedInAs: (email: string) =>
    `You are signed in as ${email}. Your password confirms that you join with this account. You will be signed out everywhere else.`,
  currentPassword: 'Your password',
  joinWithAccount: 'Join with this account',
  haveAccount: 'I have an account',
  newAccount: 'Create a new account instead',
  ownAccount: (email: string) => `Join as ${email} instead`,
  joinUntil: (when: string) => `The invitation is open until ${when}.`,
  joinRoles: {
    viewer: 'see what is there',
    member: 'see and write',
    admin: 'do everything, and keep members and keys',
    owner: 'do everything, and decide who else is an owner',
  },
  joinMay: (what: string) => `You may ${what}.`,
  signInRequired: (email: string) =>
    `There is an account for ${email} already. Sign in with an account of yours, whatever its address is, then open this link again.`,
  accountMade:
    'Your account is made, but signing in did not work just now. Sign in with the password that you chose.',
  resetTitle: 'Choose another password',
  resetFor: (email: string) =>
    `For the account of ${email}. Everywhere you are signed in, you will be signed out.`,
  resetUntil: (when: string) => `The link is good once, until ${when}.`,
  resetVerb: 'Set the password',
  resetGone: 'This link is not open any more',
  resetGoneHint: 'It was used, a later one was made, or it is older than an hour. Ask for a new one.',
  resetDone:
    'Your password is set, but signing in did not work just now. Sign in with the password that you chose.',
  toSignIn: 'Sign in',
  tooShort: (missing: number) =>
    missing === 1 ? 'One more character is needed.' : `${missing} more characters are needed.`,
  show: 'Show the password',
  hide: 'Hide the password',
};
