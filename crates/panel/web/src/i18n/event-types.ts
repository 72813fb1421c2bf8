import { language } from './language';
import { texts } from './texts';

const t = texts('event-types');

interface Described {
  type: string;
  description: string;
}

/**
 * The description of an event type in the language of the page. The description of the API, which begins in lower
 * case, is the fallback.
 */
export function eventDescription({ type, description }: Described): string {
  const translated = language() === 'en' ? undefined : t.find('types', type);
  return translated ?? `${description.charAt(0).toUpperCase()}${description.slice(1)}`;
}
