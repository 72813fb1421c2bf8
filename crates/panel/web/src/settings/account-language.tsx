import { useAccount } from '../app/use-session';
import { browserLanguages, initialLanguage, isLanguage, LANGUAGES } from '../i18n/language';
import { LanguageSelect } from '../i18n/language-select';
import { followBrowser, switchLanguage } from '../i18n/load';
import { texts } from '../i18n/texts';
import { saveAccount } from './api';

const t = texts('settings');

/** Selects the language of the account, which the panel uses in all browsers. */
export function AccountLanguage() {
  const { user } = useAccount();
  const ofBrowser = LANGUAGES[initialLanguage(undefined, browserLanguages())];
  return (
    <LanguageSelect
      value={user.language ?? ''}
      hint={t('profile.languageHint')}
      others={[{ value: '', label: t('profile.languageOfBrowser', { language: ofBrowser }) }]}
      change={async (value) => {
        const language = isLanguage(value) ? value : null;
        await saveAccount({ language });
        await (language ? switchLanguage(language, 'account') : followBrowser());
      }}
    />
  );
}
