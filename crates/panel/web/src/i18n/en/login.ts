/** Signing in, invitations, and links that set a password. */
export default {
  hint: 'The server prints an email and a password when it starts for the first time, and stores them in data/credentials.json.',
  wrong: 'The email or the password is wrong.',
  ended: 'Your session has ended. Sign in to continue.',
  toSignIn: 'Go to sign-in',

  newPassword: 'Choose a password',
  newPasswordHint: 'At least 10 characters.',

  join: 'Join',
  joinTitle: 'Join {{workspace}}',
  joinAs: {
    viewer: 'The invitation was sent to {{email}}, for the role of viewer. You can view data.',
    member: 'The invitation was sent to {{email}}, for the role of member. You can view and change data.',
    admin:
      'The invitation was sent to {{email}}, for the role of admin. You can do everything, including managing members and API keys.',
    owner:
      'The invitation was sent to {{email}}, for the role of owner. You can do everything, including adding other owners.',
  },
  joinBy: 'Invited by {{name}}.',
  joinUntil: 'The invitation is valid until {{date}}.',
  name: 'Your name',
  gone: 'This invitation is no longer valid',
  goneHint:
    'It was accepted or withdrawn, or is older than a week. Ask for a new invitation, or sign in if you have an account.',
  signedInAs: 'You are signed in as {{email}}. If you join, you are signed in as the new account.',
  joinSignedInAs:
    'You are signed in as {{email}}. Enter your password to join with this account. You will be signed out of all other sessions.',
  currentPassword: 'Your password',
  joinWithAccount: 'Join with this account',
  haveAccount: 'I have an account',
  newAccount: 'Create a new account instead',
  ownAccount: 'Join as {{email}} instead',
  signInRequired:
    'The email {{email}} already has an account. Sign in with any of your accounts, then open this link again.',
  accountCreated:
    'Your account was created, but the sign-in failed. Sign in with the password that you chose.',

  resetTitle: 'Set a new password',
  resetFor: 'For the account of {{email}}. You will be signed out of all sessions.',
  resetUntil: 'The link works once and expires on {{date}}.',
  resetSubmit: 'Set password',
  resetGone: 'This link is no longer valid',
  resetGoneHint: 'It was used, replaced by a newer link, or is older than an hour. Ask for a new link.',
  resetDone: 'Your password was set, but the sign-in failed. Sign in with the new password.',
} as const;
