import type en from '../en/work';
import type { Translation } from '../keys';

export default {
  statuses: {
    running: 'läuft',
  },
  background: 'Der Vorgang läuft weiter, wenn Sie den Dialog schließen.',
  cancelHint: 'Bereits ausgeführte Änderungen bleiben bestehen.',
} satisfies Translation<typeof en>;
