import type en from '../en/workspace-deletion';
import type { Translation } from '../keys';

export default {
  exportTitle: 'Export',
  exportHint:
    'Laden Sie alle Daten dieses Workspace als eine komprimierte Datei herunter. Sie enthält personenbezogene Daten von Kontakten und Mitgliedern, bewahren Sie sie daher sicher auf. Sie enthält keine Geheimnisse wie API-Schlüssel und Passwörter.',
  exportRunning:
    'Die Datei wird vorbereitet. Lassen Sie diese Seite offen, bis der Download abgeschlossen ist.',
  exportDone: '{{file}} heruntergeladen.',
  exportInterrupted: 'Der Download brach ab, bevor die Datei vollständig war. Versuchen Sie es erneut.',
  deleteHint:
    'Löschen Sie diesen Workspace, seine Sandbox und alle Daten. Sie sehen zuerst die Anzahlen, und der Workspace lässt sich für einige Zeit wiederherstellen.',
  effect: 'Nach dem Löschen werden API-Anfragen abgelehnt, und nichts wird gesendet.',
  effectWithSandbox:
    'Nach dem Löschen werden API-Anfragen abgelehnt, und nichts wird gesendet. Auch die Sandbox wird gelöscht.',
  restoreUntil:
    'Sie können den Workspace bis {{until}} wiederherstellen. Danach werden alle Daten endgültig gelöscht.',
  objects: {
    webhooks: 'Webhooks',
    api_keys: 'API-Schlüssel',
    members: 'Mitglieder',
  },
  typeName: 'Geben Sie zur Bestätigung den Namen des Workspace ein',
  renamed: 'Ein anderer Benutzer hat den Namen des Workspace geändert.',

  sandboxTitle: 'Export und Löschen',
  sandboxHint:
    'Diese Sandbox wird zusammen mit „{{name}}“ gelöscht und wiederhergestellt. Exportieren oder löschen Sie jenen Workspace in dessen Einstellungen.',
  sandboxOpen: 'Live-Workspace öffnen',

  pageTitle: '„{{name}}“ ist gelöscht',
  canRestore: 'Der Workspace lässt sich bis {{until}} wiederherstellen.',
  tooLate: 'Der Workspace ließ sich bis {{until}} wiederherstellen. Seine Daten werden endgültig gelöscht.',
  askOwner: 'Bitten Sie einen Inhaber des Workspace, ihn wiederherzustellen.',
  late: 'Nachrichten, die während der Löschung gewartet haben',
  lateChoices: {
    hold: {
      name: 'Weiter warten lassen',
      says: 'Der Versand ist nach dem Wiederherstellen pausiert. Setzen Sie ihn in den Workspace-Einstellungen fort.',
    },
    send: {
      name: 'Verspätete Nachrichten senden',
      says: 'Der Versand beginnt nach dem Wiederherstellen wieder, auch für verspätete Nachrichten.',
    },
  },
  switchWorkspace: 'Workspace wechseln',
} satisfies Translation<typeof en>;
