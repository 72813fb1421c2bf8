import type en from '../en/jobs';
import type { Translation } from '../keys';

export default {
  title: 'Fehlgeschlagene Jobs',
  description:
    'Jobs im Hintergrund, die in etwa sechs Stunden zwölfmal fehlgeschlagen sind oder deren Prozess fünfmal endete oder hängen blieb. Beheben Sie die Ursache und wiederholen oder verwerfen Sie dann die Jobs.',
  emptyTitle: 'Keine fehlgeschlagenen Jobs',
  emptyText:
    'Kein Job im Hintergrund ist endgültig fehlgeschlagen. Fehlgeschlagene Jobs erscheinen hier mit dem Fehler.',
  failedAt: 'Fehlgeschlagen',
  type: 'Art des Jobs',
  theError: 'der Fehler',
  due: 'War fällig',
  job: 'Fehlgeschlagener Job',
  retry: 'Erneut versuchen',
  retried: 'Der Job ist unter einer neuen ID wieder eingereiht.',
  notRetriable:
    'Dieser Job kann nicht wiederholt werden: Sein Fehlschlag ist bereits erfasst. Starten Sie die Arbeit beim Objekt neu, und verwerfen Sie danach den Job.',
  discardTitle: 'Diesen Job verwerfen?',
  discardHint:
    'Der Job {{type}} für {{object}} wird nie ausgeführt. Dies kann nicht rückgängig gemacht werden.',
  gone: 'Dieser Job ist nicht mehr fehlgeschlagen: Er wurde wiederholt oder verworfen, oder er gehört zu einem anderen Workspace.',
  noError: 'kein Fehler erfasst',
} satisfies Translation<typeof en>;
