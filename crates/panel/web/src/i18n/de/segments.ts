import type en from '../en/segments';
import type { Translation } from '../keys';

export default {
  title: 'Segmente',
  description:
    'Gespeicherte Filter für Kontakte. Listen, Rundnachrichten, Abläufe und Sequenzen verwenden sie.',
  create: 'Segment erstellen',
  emptyText: 'Ein Segment enthält alle Kontakte, die seine Bedingung erfüllen. Es ist immer aktuell.',
  remove: 'Segment löschen',
  deleteHint: 'Die enthaltenen Kontakte werden nicht gelöscht.',
  conditionHint: 'Sie wird bei jeder Verwendung des Segments geprüft.',
  everybody: 'Ohne Regeln enthält das Segment alle Kontakte.',
  unfinished: 'Eine Regel ist unvollständig. Die Bedingung ändert sich, wenn alle Regeln vollständig sind.',
  sample: 'Kontakte in diesem Segment',
  matches_zero: 'Derzeit kein Kontakt enthalten',
  matches_one: 'Derzeit {{count}} Kontakt enthalten',
  matches_other: 'Derzeit {{count}} Kontakte enthalten',
  matchesMore: 'Derzeit {{minimum}} oder mehr Kontakte enthalten',
  noSample: 'Korrigieren Sie die Regeln, um die Kontakte zu sehen.',
  nameless: 'Kontakt ohne Namen',
  lost: 'Die Regeln beziehen sich auf gelöschte Objekte:',
} satisfies Translation<typeof en>;
