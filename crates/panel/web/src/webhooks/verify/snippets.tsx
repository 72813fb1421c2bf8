import { Tabs, Text } from '@mantine/core';
import { Code } from '../../components/code';
import { texts } from '../../i18n/texts';
import python from './verify.py?raw';
import rust from './verify.rs?raw';
import typescript from './verify.ts?raw';

const t = texts('webhooks');
const LANGUAGES = { TypeScript: typescript, Python: python, Rust: rust };

/** Code that verifies a delivery, to take as it is. */
export function Snippets({ hint }: { hint?: string }) {
  return (
    <div>
      <Text mb="xs">{t('verifyHint')}</Text>
      {hint && (
        <Text c="dimmed" mb="xs">
          {t('verifySecret', { hint })}
        </Text>
      )}
      <Tabs defaultValue="TypeScript" keepMounted={false}>
        <Tabs.List aria-label={t('verify')}>
          {Object.keys(LANGUAGES).map((it) => (
            <Tabs.Tab key={it} value={it}>
              {it}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {Object.entries(LANGUAGES).map(([language, code]) => (
          <Tabs.Panel key={language} value={language} pt="sm">
            <Code text={code.trim()} what={t('snippet', { language })} />
          </Tabs.Panel>
        ))}
      </Tabs>
      <Text c="dimmed" mt="sm">
        {t('verifyLibraries')}
      </Text>
    </div>
  );
}
