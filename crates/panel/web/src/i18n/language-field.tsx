import { isLanguage, useLanguage } from './language';
import { LanguageSelect } from './language-select';
import { switchLanguage } from './load';

/** Selects the language of the panel before anyone signs in. The browser stores it. */
export function LanguageField() {
  return (
    <LanguageSelect
      value={useLanguage()}
      change={async (value) => {
        if (isLanguage(value)) await switchLanguage(value);
      }}
    />
  );
}
