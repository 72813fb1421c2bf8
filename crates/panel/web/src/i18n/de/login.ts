import type en from '../en/login';
import type { Translation } from '../keys';

export default {
  hint: 'Der Server gibt beim ersten Start eine E-Mail-Adresse und ein Passwort aus und speichert beide in data/credentials.json.',
  wrong: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
  ended: 'Ihre Sitzung wurde beendet. Melden Sie sich an, um fortzufahren.',
  toSignIn: 'Zur Anmeldung',

  newPassword: 'Passwort wählen',
  newPasswordHint: 'Mindestens 10 Zeichen.',

  join: 'Beitreten',
  joinTitle: '{{workspace}} beitreten',
  joinAs: {
    viewer: 'Die Einladung ging an {{email}}, für die Rolle Betrachter. Sie können Daten ansehen.',
    member: 'Die Einladung ging an {{email}}, für die Rolle Mitglied. Sie können Daten ansehen und ändern.',
    admin:
      'Die Einladung ging an {{email}}, für die Rolle Admin. Sie können alles tun, auch Mitglieder und API-Schlüssel verwalten.',
    owner:
      'Die Einladung ging an {{email}}, für die Rolle Inhaber. Sie können alles tun, auch weitere Inhaber hinzufügen.',
  },
  joinBy: 'Eingeladen von {{name}}.',
  joinUntil: 'Die Einladung ist bis zum {{date}} gültig.',
  name: 'Ihr Name',
  gone: 'Diese Einladung ist nicht mehr gültig',
  goneHint:
    'Sie wurde angenommen oder zurückgezogen oder ist älter als eine Woche. Bitten Sie um eine neue Einladung, oder melden Sie sich an, wenn Sie ein Konto haben.',
  signedInAs:
    'Sie sind als {{email}} angemeldet. Wenn Sie beitreten, werden Sie mit dem neuen Konto angemeldet.',
  joinSignedInAs:
    'Sie sind als {{email}} angemeldet. Geben Sie Ihr Passwort ein, um mit diesem Konto beizutreten. In allen anderen Sitzungen werden Sie abgemeldet.',
  currentPassword: 'Ihr Passwort',
  joinWithAccount: 'Mit diesem Konto beitreten',
  haveAccount: 'Ich habe ein Konto',
  newAccount: 'Stattdessen ein neues Konto erstellen',
  ownAccount: 'Stattdessen als {{email}} beitreten',
  signInRequired:
    'Zur E-Mail-Adresse {{email}} gibt es bereits ein Konto. Melden Sie sich mit einem Ihrer Konten an, und öffnen Sie diesen Link erneut.',
  accountCreated:
    'Ihr Konto wurde erstellt, aber die Anmeldung ist fehlgeschlagen. Melden Sie sich mit dem gewählten Passwort an.',

  resetTitle: 'Neues Passwort festlegen',
  resetFor: 'Für das Konto von {{email}}. Sie werden in allen Sitzungen abgemeldet.',
  resetUntil: 'Der Link funktioniert einmal und läuft am {{date}} ab.',
  resetSubmit: 'Passwort festlegen',
  resetGone: 'Dieser Link ist nicht mehr gültig',
  resetGoneHint:
    'Er wurde verwendet oder durch einen neueren ersetzt oder ist älter als eine Stunde. Bitten Sie um einen neuen Link.',
  resetDone:
    'Ihr Passwort wurde festgelegt, aber die Anmeldung ist fehlgeschlagen. Melden Sie sich mit dem neuen Passwort an.',
} satisfies Translation<typeof en>;
