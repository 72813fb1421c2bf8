import type en from '../en/event-types';
import type { Translation } from '../keys';

export default {
  types: {
    'ai_session.escalated': 'Eine KI-Sitzung wurde an eine Person übergeben',
    'broadcast.completed': 'Alle Empfänger einer Rundnachricht wurden verarbeitet',
    'channel.connected': 'Ein Kanal wurde verbunden',
    'channel.disconnected': 'Ein Kanal wurde getrennt, oder seine Zugangsdaten wurden abgelehnt',
    'contact.created': 'Ein Kontakt wurde erstellt, importiert oder erstmals auf einem Kanal gesehen',
    'contact.deleted': 'Ein Kontakt wurde gelöscht',
    'contact.field_changed': 'Ein eigenes Feld eines Kontakts wurde gesetzt oder geleert',
    'contact.tag_added': 'Ein Kontakt hat ein Tag bekommen',
    'contact.tag_removed': 'Ein Tag wurde von einem Kontakt entfernt',
    'contact.unsubscribed': 'Ein Kontakt hat sich per Stichwort, Link, API oder Anbieter abgemeldet',
    'contact.updated': 'Ein Profilattribut eines Kontakts wurde geändert',
    'conversation.assigned': 'Die Zuweisung einer Unterhaltung wurde geändert',
    'conversation.created': 'Die erste Nachricht hat eine Unterhaltung begonnen',
    'conversation.resolved': 'Eine Unterhaltung wurde erledigt',
    'flow.completed': 'Ein Lauf wurde abgeschlossen',
    'flow.failed': 'Ein Lauf ist durch einen Fehler oder eine Grenze fehlgeschlagen',
    'flow.started': 'Ein Lauf wurde gestartet',
    'message.delivered': 'Der Anbieter hat die Zustellung einer Nachricht bestätigt',
    'message.failed': 'Eine Nachricht ist endgültig fehlgeschlagen',
    'message.read': 'Der Kontakt hat eine Nachricht gelesen',
    'message.received': 'Eine Nachricht eines Kontakts wurde gespeichert',
    'message.sent': 'Der Anbieter hat eine ausgehende Nachricht angenommen',
    'sequence.completed':
      'Ein Kontakt hat den letzten Schritt einer Sequenz abgeschlossen oder sie vorzeitig verlassen',
    'sequence.enrolled': 'Ein Kontakt wurde in eine Sequenz aufgenommen',
  },
} satisfies Translation<typeof en>;
