import type en from '../en/catalog';
import type { Translation } from '../keys';

export default {
  emptyTitle: 'Noch keine Einträge',
  count_one: '{{count}} Eintrag',
  count_other: '{{count}} Einträge',
  countOf: '{{shown}} von {{all}}',
  noMatch: 'Kein Eintrag enthält „{{text}}“',
  noMatchHint: 'Setzen Sie den Filter zurück, um alle Einträge zu sehen.',
  clear: 'Filter zurücksetzen',
  gone: 'Kein Objekt hat diese ID. Es wurde gelöscht, oder die Adresse gehört zu einem anderen Workspace.',
  nameTaken: 'Dieser Name wird bereits verwendet.',
  keyTaken: 'Dieser Schlüssel wird bereits verwendet.',
  optionInUse: 'Kontakte oder diese Objekte verwenden eine Option, die Sie entfernt haben:',
  force: 'Option trotzdem entfernen',
  forcing: 'Zum Entfernen der Option erneut speichern',
  keyHint:
    'Buchstaben, Ziffern und _. Ohne Eingabe entsteht der Schlüssel aus dem Namen. Sie können ihn später nicht ändern.',
  typeHint: 'Sie können die Art später nicht ändern.',
  types: {
    text: 'Text',
    number: 'Zahl',
    boolean: 'ja oder nein',
    date: 'Datum',
    datetime: 'Datum und Uhrzeit',
    email: 'E-Mail-Adresse',
    phone: 'Telefonnummer',
    url: 'Webadresse',
    select: 'eine Option',
    multi_select: 'mehrere Optionen',
  },

  tags: {
    title: 'Tags',
    description:
      'Kennzeichen für Kontakte. Abläufe, Segmente und Rundnachrichten können Kontakte nach Tags auswählen.',
    create: 'Tag erstellen',
    filter: 'Nach Namen filtern',
    emptyText:
      'Erstellen Sie hier ein Tag. Auch ein Kontakt oder Ablauf, der einen neuen Namen verwendet, erstellt das Tag.',
    remove: 'Tag löschen',
    deleteHint: 'Das Tag wird von allen Kontakten entfernt.',
    color: 'Farbe',
    colorNone: 'Farbe entfernen',
    descriptionLabel: 'Beschreibung',
    descriptionHint: 'Erklärt anderen Mitgliedern, wann sie das Tag verwenden.',
    contacts: 'Kontakte',
  },
  customFields: {
    title: 'Benutzerdefinierte Felder',
    description: 'Eigene Felder für Kontakte. Jedes Feld hat eine Art, etwa Text oder Datum.',
    create: 'Benutzerdefiniertes Feld erstellen',
    filter: 'Nach Namen oder Schlüssel filtern',
    emptyText:
      'Ein benutzerdefiniertes Feld speichert für jeden Kontakt einen Wert, zum Beispiel einen Tarif, einen Geburtstag oder eine Größe.',
    remove: 'Benutzerdefiniertes Feld löschen',
    deleteHint: 'Das Feld und seine Werte werden von allen Kontakten entfernt.',
    options: 'Optionen',
    optionsHint: 'Option eingeben, dann Enter drücken.',
    rules: {
      min: 'Kleinste Zahl',
      max: 'Größte Zahl',
      max_length: 'Höchstzahl der Zeichen',
      pattern: 'Regulärer Ausdruck',
    },
    patternHint: 'Ein Teil des Werts muss passen. Für den ganzen Wert verwenden Sie ^ und $.',
  },
  botFields: {
    title: 'Bot-Felder',
    description: 'Werte dieses Workspace. Vorlagen und Bedingungen aller Abläufe können sie verwenden.',
    create: 'Bot-Feld erstellen',
    filter: 'Nach Namen oder Schlüssel filtern',
    emptyText:
      'Ein Bot-Feld speichert einen Wert für den Workspace, zum Beispiel eine Saison, Öffnungszeiten oder einen Preis.',
    remove: 'Bot-Feld löschen',
    deleteHint: 'Vorlagen, die das Feld verwenden, zeigen stattdessen einen leeren Text.',
  },
} satisfies Translation<typeof en>;
