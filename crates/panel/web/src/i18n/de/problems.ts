import type en from '../en/problems';
import type { Translation } from '../keys';

export default {
  codes: {
    bad_request: 'Die Anfrage konnte nicht gelesen werden.',
    malformed_json: 'Der Text ist kein gültiges JSON.',
    duplicate_key: 'Ein Objekt enthält denselben Schlüssel zweimal.',
    invalid_cursor: 'Die Liste hat sich geändert. Laden Sie die Seite neu.',
    invalid_header: 'Ein Header der Anfrage hat einen ungültigen Wert.',
    unauthorized: 'Sie sind nicht angemeldet.',
    invalid_credentials: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
    invalid_signature:
      'Die Signatur fehlt oder ist falsch, oder ihr Zeitstempel weicht um mehr als fünf Minuten ab.',
    foreign_origin: 'Die Anfrage kommt von einer Seite mit anderem Ursprung.',
    insufficient_role: 'Ihre Rolle im Workspace erlaubt das nicht.',
    insufficient_scope: 'Der Umfang des API-Schlüssels erlaubt das nicht.',
    not_found: 'Das Objekt existiert in diesem Workspace nicht.',
    route_not_found: 'Die API hat unter diesem Pfad keine Route.',
    method_not_allowed: 'Der Pfad unterstützt diese Methode nicht.',
    contact_exists:
      'Ein anderer Kontakt hat diese E-Mail-Adresse, Telefonnummer, externe ID oder Kanaladresse.',
    contact_merged: 'Der Kontakt wurde mit einem anderen Kontakt zusammengeführt.',
    name_taken: 'Der Name ist bereits vergeben. Wählen Sie einen anderen Namen.',
    key_taken: 'Der Schlüssel ist bereits vergeben. Wählen Sie einen anderen Schlüssel.',
    already_exists: 'Das Objekt existiert bereits.',
    conflict: 'Das Objekt hat sich während der Anfrage geändert. Versuchen Sie es erneut.',
    in_use: 'Andere Objekte verwenden dieses Objekt.',
    conversation_resolved: 'Die Unterhaltung ist erledigt. Öffnen Sie sie zuerst wieder.',
    no_channel: 'Der Kanal wurde gelöscht, oder der Workspace hat keinen Standardkanal.',
    flow_not_active:
      'Der Ablauf ist nicht aktiv. Veröffentlichen Sie ihn, oder setzen Sie ihn fort, wenn er pausiert ist.',
    sequence_not_active: 'Die Sequenz nimmt keine Kontakte auf. Aktivieren Sie sie zuerst.',
    reenrollment_forbidden:
      'Der Kontakt war schon in dieser Sequenz, und die Sequenz erlaubt keine erneute Aufnahme.',
    job_not_dead:
      'Der Job ist eingereiht oder läuft. Nur fehlgeschlagene Jobs können wiederholt oder verworfen werden.',
    job_settled:
      'Der Fehler dieses Jobs wurde bereits erfasst. Wiederholen Sie stattdessen die Zustellung oder Nachricht.',
    broadcast_status: 'Der Status der Rundnachricht erlaubt diese Aktion nicht.',
    no_recipients:
      'Kein Empfänger kann diese Nachricht noch einmal erhalten. Alle anderen haben sie erhalten, haben sie vielleicht oder sind nicht erreichbar.',
    audience_changed: 'Die Zielgruppe hat sich geändert. Prüfen Sie sie, und senden Sie erneut.',
    storage_full:
      'Der Speicher des Tarifs ist voll. Löschen Sie nicht benötigte Daten, oder bitten Sie einen Betreiber um einen größeren Tarif.',
    outbound_held: 'Das Senden ist für diesen Workspace pausiert. Ein Admin kann es fortsetzen.',
    not_a_sandbox: 'Diese Aktion ist nur in einer Sandbox verfügbar.',
    clock_in_use:
      'Eine andere Anfrage stellt gerade die Uhr dieser Sandbox. Versuchen Sie es erneut, wenn sie fertig ist.',
    needs_operator:
      'Der Benutzer gehört zu anderen Workspaces oder ist Betreiber. Nur ein Betreiber kann diesen Link erstellen.',
    sign_in_required: 'Zur Adresse dieser Einladung gibt es ein Konto. Melden Sie sich zuerst an.',
    last_owner:
      'Ein Workspace braucht mindestens einen Inhaber. Machen Sie zuerst ein anderes Mitglied zum Inhaber.',
    workspace_deleted: 'Der Workspace ist gelöscht. Ein Inhaber oder Betreiber kann ihn wiederherstellen.',
    events_gone: 'Ältere Ereignisse sind nicht mehr verfügbar. Laden Sie die Seite neu.',
    precondition_failed: 'Das Objekt wurde von einem anderen Benutzer geändert. Laden Sie die Seite neu.',
    payload_too_large: 'Die Daten sind zu groß.',
    uri_too_long: 'Die Adresse der Anfrage ist zu lang. Verwenden Sie weniger Filter.',
    unsupported_media_type: 'Der Server unterstützt diesen Dateityp nicht.',
    validation_failed: 'Einige Werte sind ungültig.',
    workspace_required: 'Wählen Sie zuerst einen Workspace aus.',
    idempotency_key_reused:
      'Diese Anfrage wurde bereits mit anderen Daten gesendet. Laden Sie die Seite neu.',
    query_too_slow:
      'Die Abfrage dauert zu lange. Verwenden Sie weniger oder einfachere Bedingungen oder einen kürzeren Zeitraum.',
    limit_exceeded: 'Die Höchstzahl für diese Art von Objekt ist erreicht.',
    rate_limited:
      'Die Anfragen pro Minute des Tarifs sind verbraucht. Versuchen Sie es in einer Minute erneut.',
    invitation_limit:
      'Zu viele Einladungen in der letzten Stunde. Ziehen Sie eine offene Einladung zurück, oder versuchen Sie es später erneut.',
    start_limit: 'Der Ablauf wurde für diesen Kontakt zu oft gestartet. Versuchen Sie es später erneut.',
    simulation_limit: 'Es laufen zu viele Simulationen. Versuchen Sie es später erneut.',
    search_limit: 'Es laufen zu viele Suchen, Zählungen und Exporte. Versuchen Sie es später erneut.',
    compute_limit: 'Es laufen zu viele große Anfragen. Versuchen Sie es später erneut.',
    stream_limit: 'Es sind zu viele Seiten gleichzeitig geöffnet. Schließen Sie einige davon.',
    too_many_attempts: 'Zu viele Versuche. Versuchen Sie es später erneut.',
    request_timeout: 'Die Anfrage kam nicht rechtzeitig an. Versuchen Sie es erneut.',
    internal: 'Auf dem Server ist ein Fehler aufgetreten. Nennen Sie Ihrem Betreiber die Anfrage-ID.',
    unavailable:
      'Die Datenbank ist nicht verfügbar, es wurde nichts geändert. Versuchen Sie es später erneut.',
    outcome_unknown:
      'Es ist nicht bekannt, ob die Aktion erfolgreich war. Prüfen Sie das Objekt, bevor Sie es erneut versuchen.',
  },
  faults: {
    required: 'Dieses Feld ist erforderlich.',
    blank: 'Dieses Feld darf nicht leer sein.',
    wrong_type: 'Der Wert hat den falschen Typ.',
    invalid_value: 'Der Wert ist ungültig.',
    invalid_format: 'Das Format ist ungültig.',
    invalid_length: 'Die Länge ist ungültig.',
    invalid_id: 'Die ID ist ungültig.',
    invalid_character: 'Der Text enthält ein unzulässiges Zeichen.',
    too_long: 'Der Text ist zu lang.',
    too_short: 'Der Text ist zu kurz.',
    too_many: 'Es sind zu viele Einträge.',
    too_few: 'Es sind zu wenige Einträge.',
    out_of_range: 'Die Zahl liegt außerhalb des erlaubten Bereichs.',
    not_allowed: 'Dieser Wert ist hier nicht erlaubt.',
    unknown_field: 'Dieses Feld ist unbekannt.',
    unknown_tag: 'Das Tag existiert nicht.',
    unknown_segment: 'Das Segment existiert nicht.',
    unknown_contact: 'Der Kontakt existiert nicht.',
    unknown_channel: 'Der Kanal existiert nicht.',
    lost_reference: 'Der Text oder die Bedingung verweist auf ein gelöschtes Objekt.',
    wrong_password: 'Das Passwort ist falsch.',
    insecure: 'Die Adresse muss mit https:// beginnen.',
    forbidden_address: 'Die Adresse liegt in einem privaten Netz.',
    invalid_name: 'Der Name ist ungültig.',
    in_the_past: 'Der Zeitpunkt liegt in der Vergangenheit.',
    unknown_flow: 'Der Ablauf existiert nicht.',
    unknown_sequence: 'Die Sequenz existiert nicht.',
    unknown_member: 'Das Mitglied existiert nicht.',
    unknown_version: 'Die Version existiert nicht.',
    unknown_time_zone: 'Die Zeitzone existiert nicht.',
    unknown_name: 'Der Text verwendet einen Namen, den es nicht gibt.',
    template_error: 'Die Vorlage ist ungültig.',
    duplicate_name: 'Der Name kommt zweimal vor.',
    same_contact: 'Wählen Sie einen anderen Kontakt.',
    own_account: 'Das ist für Ihr eigenes Konto nicht möglich.',
    mismatch: 'Der Text stimmt nicht überein.',
    sandbox: 'Das ist in einer Sandbox nicht verfügbar.',
  },
} satisfies Translation<typeof en>;
