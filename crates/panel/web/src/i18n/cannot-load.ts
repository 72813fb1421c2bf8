import { type Language, language } from './language';

/** The only texts outside of the groups: the page when the texts themselves cannot be loaded. */
const TEXTS: Record<Language, string> = {
  en: 'The panel could not be loaded. Reload the page.',
  de: 'Das Panel konnte nicht geladen werden. Laden Sie die Seite neu.',
};

export function cannotLoad(): HTMLElement {
  const text = document.createElement('p');
  text.role = 'alert';
  text.textContent = TEXTS[language()];
  return text;
}
