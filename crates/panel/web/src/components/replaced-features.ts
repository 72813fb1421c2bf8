import { texts } from '../i18n/texts';

const t = texts('common');

/**
 * The features of a message that its channel replaces, in words; empty if there are none. Messages in events of an
 * earlier release do not name them.
 */
export function replacedInWords(degraded: readonly { what: string }[] = []): string {
  const words = degraded.map(({ what }) => t.find('replaced', what));
  return words.filter((it) => it !== undefined).join(' · ');
}
