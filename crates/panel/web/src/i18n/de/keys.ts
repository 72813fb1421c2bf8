import type en from '../en/keys';
import type { Translation } from '../keys';

export default {
  title: 'API-Schlüssel',
  forAdmins: 'Nur Admins können Schlüssel verwalten',
  forAdminsHint:
    'Bitten Sie einen Admin oder Inhaber dieses Workspace, einen Schlüssel für Sie zu erstellen.',
  description: 'Ein Schlüssel gibt Zugang zu diesem Workspace, im Rahmen seines Umfangs.',
  descriptionLimit:
    'Ein Schlüssel gibt Zugang zu diesem Workspace, im Rahmen seines Umfangs. Alle Schlüssel zusammen können {{limit}} Anfragen pro Minute senden ({{plan}}).',
  create: 'Schlüssel erstellen',
  nameHint:
    'Das Programm, das diesen Schlüssel nutzt. So wissen Sie, was nach einem Widerruf nicht mehr funktioniert.',
  namePlaceholder: 'Rechnungsdienst',
  scopes: {
    read: 'Kann alles außer Webhooks und zuständigen Personen lesen',
    write: 'Kann außerdem Objekte erstellen und ändern',
    full: 'Kann außerdem Objekte löschen und Webhooks verwalten',
  },
  allMethods: 'alle Methoden',
  lives: { P30D: '30 Tage', P90D: '90 Tage', P365D: '1 Jahr', never: 'Nie' },
  requests: 'Anfragen, 24 h',
  requestsHint_one: '{{count}} Anfrage dieses Schlüssels im Protokoll anzeigen',
  requestsHint_other: '{{count}} Anfragen dieses Schlüssels im Protokoll anzeigen',
  statuses: { expiresSoon: 'läuft bald ab' },
  createdAt: 'Erstellt',
  created: 'Ihr neuer Schlüssel',
  createdHint:
    'Der Schlüssel wird nur jetzt angezeigt. Speichern Sie ihn dort, wo Sie Ihre Geheimnisse speichern.',
  try: 'Probieren Sie ihn aus:',
  theKey: 'der Schlüssel',
  rotate: 'Rotieren',
  rotateTitle: '{{name}} rotieren',
  rotateHint:
    'Sie erhalten einen neuen Schlüssel mit demselben Namen und Umfang. Der alte Schlüssel funktioniert bis zum Ende der Überlappung, damit Sie ihn überall ersetzen können.',
  overlap: 'Der alte Schlüssel funktioniert noch',
  overlaps: { PT0S: 'Ohne Überlappung', P1D: '1 Tag' },
  overlapEnds: 'Beide Schlüssel funktionieren bis {{time}}. Danach wird der alte Schlüssel abgelehnt.',
  overlapNow: 'Der alte Schlüssel wird innerhalb von fünf Sekunden abgelehnt.',
  rotateVerb: 'Neuen Schlüssel erstellen',
  revokeHint:
    'Alle Server weisen Anfragen mit diesem Schlüssel innerhalb von fünf Sekunden ab. Sie können dies nicht rückgängig machen.',
  revokeUse_zero: 'Der Schlüssel hat in den letzten 24 Stunden keine Anfragen gesendet.',
  revokeUse_one: 'Der Schlüssel hat in den letzten 24 Stunden {{count}} Anfrage gesendet.',
  revokeUse_other: 'Der Schlüssel hat in den letzten 24 Stunden {{count}} Anfragen gesendet.',
  emptyTitle: 'Noch keine Schlüssel',
  emptyText:
    'Programme nutzen die API mit einem Schlüssel. Erstellen Sie für jedes Programm einen Schlüssel, damit Sie ihn einzeln widerrufen können.',
  gone: 'Kein Schlüssel hat diese ID. Der Schlüssel wurde widerrufen, oder die Adresse gehört zu einem anderen Workspace.',
} satisfies Translation<typeof en>;
