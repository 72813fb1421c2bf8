import type en from '../en/forms';
import type { Translation } from '../keys';

export default {
  inUse: 'Diese Objekte nutzen es und würden es verlieren:',
} satisfies Translation<typeof en>;
