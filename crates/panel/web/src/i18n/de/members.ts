import type en from '../en/members';
import type { Translation } from '../keys';

export default {
  title: 'Mitglieder',
  invite: 'Mitglied einladen',
  description: 'Die Mitglieder von {{workspace}} und ihre Rollen.',
  descriptionSandbox:
    'Die Mitglieder von {{workspace}} und ihre Rollen. Die Sandbox hat dieselben Mitglieder.',
  forAdmins: 'Nur Admins sehen die Mitglieder',
  forAdminsHint:
    'Fragen Sie einen Admin oder Inhaber dieses Workspace nach der Liste der Mitglieder oder nach einer Einladung.',
  filter: 'Nach Namen, E-Mail, Rolle filtern',
  onlyYouTitle: 'Sie sind das einzige Mitglied',
  onlyYouHint:
    'Laden Sie weitere Mitglieder ein, um Kontakten zu antworten, Abläufe zu bauen oder Daten anzusehen. Jedes Mitglied hat eine Rolle.',
  noMatch: 'Kein Mitglied hat „{{text}}“ in Name, E-Mail oder Rolle',
  noMatchHint: 'Setzen Sie den Filter zurück, um alle Mitglieder zu sehen.',
  clear: 'Filter zurücksetzen',
  count_one: '{{count}} Mitglied',
  count_other: '{{count}} Mitglieder',
  countShown: '{{shown}} von {{all}} Mitgliedern',
  since: 'Seit',
  you: '(Sie)',
  noName: 'noch nicht beigetreten',
  invitedUntil: 'eingeladen bis {{date}}',
  invitationExpired: 'Einladung abgelaufen',
  roles: {
    viewer: 'Kann Kontakte, Abläufe, Unterhaltungen und Statistik ansehen',
    member: 'Kann außerdem Kontakten antworten, Abläufe bauen und Kontakte ändern',
    admin: 'Kann außerdem Daten löschen und Mitglieder, Schlüssel, Webhooks und die Sandbox verwalten',
    owner: 'Kann alles, was ein Admin kann, und Inhaber verwalten',
  },
  owners: 'Nur Inhaber können Inhaber hinzufügen, ändern oder entfernen.',
  changeRole: 'Rolle ändern',
  ownRole:
    'Das ist Ihre eigene Rolle. Wenn Sie eine niedrigere Rolle wählen, können Sie das möglicherweise nicht zurücknehmen.',
  invitationRole:
    'Um die Rolle zu ändern oder einen neuen Link zu erhalten, laden Sie dieselbe E-Mail-Adresse erneut ein.',
  removeTitle: '{{name}} entfernen?',
  removeHint:
    '{{name}} verliert sofort den Zugang zu {{workspace}} und zur Sandbox. Die Daten, die dieses Mitglied erstellt hat, bleiben. Sie können das Mitglied wieder einladen.',
  removeVerb: 'Mitglied entfernen',
  membership: 'Mitgliedschaft',
  leave: 'Workspace verlassen',
  leaveTitle: '{{workspace}} verlassen?',
  leaveHint:
    'Sie verlieren sofort den Zugang zum Workspace und zur Sandbox. Für eine Rückkehr brauchen Sie eine neue Einladung.',
  withdraw: 'Zurückziehen',
  withdrawTitle: 'Einladung zurückziehen: {{email}}?',
  withdrawHint: 'Der Link funktioniert nicht mehr. Sie können dieselbe E-Mail-Adresse wieder einladen.',
  withdrawVerb: 'Einladung zurückziehen',
  lastOwner:
    'Ein Workspace braucht mindestens einen Inhaber. Machen Sie zuerst ein anderes Mitglied zum Inhaber.',
  inviteEmailHint:
    'Sie erhalten einen Link, den Sie an diese Person senden. Sie wird Mitglied, wenn sie ihn annimmt.',
  inviteVerb: 'Einladen',
  taken: 'Diese E-Mail-Adresse gehört bereits zu einem Mitglied.',
  linkTitle: 'Diesen Link senden',
  link: 'der Link',
  linkFor: {
    viewer: 'Für {{email}}, mit der Rolle Betrachter.',
    member: 'Für {{email}}, mit der Rolle Mitglied.',
    admin: 'Für {{email}}, mit der Rolle Admin.',
    owner: 'Für {{email}}, mit der Rolle Inhaber.',
  },
  linkOnce:
    'Der Link funktioniert einmal, eine Woche lang, und wird nur jetzt angezeigt. Tidings sendet keine E-Mail: Senden Sie den Link selbst.',
  reset: 'Passwort-Link erstellen',
  resetTitle: 'Passwort-Link für {{name}} erstellen?',
  resetHint:
    'Sie erhalten einen Link, den Sie an {{name}} senden. Er legt ein neues Passwort fest und beendet alle Sitzungen dieses Mitglieds. Frühere Links funktionieren nicht mehr.',
  resetVerb: 'Link erstellen',
  resetFor: 'Für {{email}}, um ein neues Passwort festzulegen.',
  resetOnce:
    'Der Link funktioniert einmal, eine Stunde lang, und wird nur jetzt angezeigt. Mit diesem Link kann sich jeder anmelden, senden Sie ihn daher nur an dieses Mitglied.',
  gone: 'Kein Mitglied hat diese ID. Das Mitglied wurde entfernt, oder die Adresse gehört zu einem anderen Workspace.',
} satisfies Translation<typeof en>;
