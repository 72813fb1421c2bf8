import type en from '../en/api-messages';
import type { Translation } from '../keys';

export default {
  messages: {
    one_of: 'erwartet wird eines von: {{value}}',
    some_of: 'erwartet wird mindestens eines von: {{value}}',
    text: 'erwartet wird ein Text, der nicht leer ist',
    number: 'erwartet wird eine Zahl',
    number_example: 'erwartet wird eine Zahl wie 12 oder 1,5',
    yes_or_no: 'erwartet wird Ja oder Nein',
    email: 'erwartet wird eine E-Mail-Adresse wie ada@example.com',
    phone: 'erwartet wird eine Telefonnummer mit Landesvorwahl wie +49301234567',
    country_code: 'unbekannte Landesvorwahl; erwartet wird eine Telefonnummer wie +49301234567',
    phone_length:
      'in diesem Land gibt es keine Telefonnummern dieser Länge oder mit diesem Anfang; erwartet wird eine vollständige Nummer wie +49301234567',
    date: 'erwartet wird ein Datum wie 2026-01-31',
    time: 'erwartet wird eine Zeit nach RFC 3339 wie 2026-01-31T09:30:00Z',
    url: 'erwartet wird eine URL wie https://example.com/',
    ambiguous: 'die Antwort ist mehrdeutig: {{value}}',
    too_long: 'höchstens {{value}} Zeichen',
    too_small: 'mindestens {{value}}',
    too_large: 'höchstens {{value}}',
    pattern: 'muss dem Muster {{value}} entsprechen',
    provider_status: 'Der Anbieter antwortete mit {{value}}, erwartet wird 200 bis 299.',
    provider_answered: 'Der Anbieter antwortete mit {{value}}.',
    receiver_status: 'der Empfänger antwortete mit {{value}}, erwartet wird 200 bis 299',
    timed_out: 'Es kam rechtzeitig keine vollständige Antwort an.',
    host_not_found: 'Der Hostname wurde nicht gefunden.',
    connection_refused: 'Die Verbindung wurde abgelehnt.',
    unreachable: 'Der Host ist nicht erreichbar.',
    not_connected: 'Die Verbindung konnte nicht geöffnet werden.',
    closed: 'Die Verbindung wurde geschlossen, bevor die Antwort vollständig war.',
    not_http:
      'Die Verbindung wurde geschlossen, bevor die Antwort vollständig war, oder die Antwort war kein gültiges HTTP.',
    response_size: 'Die Antwort ist größer als {{value}} Bytes.',
    tls: 'Der TLS-Handshake ist fehlgeschlagen.',
    certificate_expired: 'Das TLS-Zertifikat ist abgelaufen.',
    certificate_not_yet: 'Das TLS-Zertifikat ist noch nicht gültig.',
    certificate_host: 'Das TLS-Zertifikat gilt für einen anderen Hostnamen.',
    certificate_authority:
      'Das TLS-Zertifikat stammt von keiner bekannten Zertifizierungsstelle, oder ein Zwischenzertifikat fehlt.',
    certificate: 'Das TLS-Zertifikat ist ungültig.',
    no_url: 'Der Kanal hat keine URL, an die er sendet.',
    secret: 'Mit dem Geheimnis des Kanals kann nicht signiert werden.',
  },
} satisfies Translation<typeof en>;
