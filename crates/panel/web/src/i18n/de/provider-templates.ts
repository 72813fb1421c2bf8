import type en from '../en/provider-templates';
import type { Translation } from '../keys';

export default {
  title: 'Vorlagen',
  hint: 'Nachrichten, die WhatsApp auch nach dem Antwortfenster annimmt. Erstellen und beantragen Sie sie im WhatsApp Manager.',
  none: 'Das Konto bei WhatsApp hat noch keine Vorlagen.',
  fetchedAt: 'Von WhatsApp gelesen:',
  find: 'Vorlage nach Name suchen',
  noneFound: 'Keine Vorlage hat diesen Namen.',
  showAll: 'Alle {{count}} Vorlagen anzeigen',
  statuses: {
    APPROVED: 'genehmigt',
    PENDING: 'in Prüfung',
    IN_APPEAL: 'erneut in Prüfung',
    REJECTED: 'abgelehnt',
    PAUSED: 'pausiert',
    DISABLED: 'deaktiviert',
  },
  categories: { MARKETING: 'Marketing', UTILITY: 'Service', AUTHENTICATION: 'Authentifizierung' },
  formats: { IMAGE: 'Bild', VIDEO: 'Video', DOCUMENT: 'Dokument', LOCATION: 'Standort' },
  parameters: 'Parameter: {{names}}',
  preview: 'Vorschau von {{name}}',
  template: 'Vorlage',
  choose: 'Vorlage auswählen',
  noneApproved: 'Keine Vorlage ist genehmigt',
  notListed: 'WhatsApp führt diese Vorlage nicht als genehmigt.',
  parameter: 'Parameter {{name}}',
  mediaHint: 'Die ID einer Datei (media_…) oder eine URL.',
  fallback: 'Vorlage nach dem Antwortfenster',
  fallbackHint:
    'WhatsApp erhält stattdessen diese Vorlage, wenn die letzte Nachricht des Kontakts beim Senden mehr als 24 Stunden alt ist.',
  addFallback: 'Vorlage für später hinzufügen',
  removeFallback: 'Vorlage entfernen',
} satisfies Translation<typeof en>;
