import { language } from './language';
import { texts } from './texts';

const t = texts('event-types');

interface Described {
  type: string;
  description: string;
}

/** The description of an event type in the language of the page. The description of the API is the fallback. */
export function eventDescription({ type, description }: Described): string {
  return (language() !== 'en' && t.find('types', type)) || description;
}
