import { Button, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useWhere } from '../app/here';
import type { Channel } from '../channels/api';
import { Loaded } from '../components/loaded';
import { Status, type Tone } from '../components/status';
import { When } from '../components/when';
import { texts } from '../i18n/texts';
import { keyOf, type ProviderTemplate, useTemplates } from './api';
import { TemplatePreview } from './preview';
import classes from './templates.module.css';

const t = texts('provider-templates');

/** The number of templates that are shown at first. */
const FEW = 10;

const TONES: Record<string, Tone> = {
  APPROVED: 'ok',
  PENDING: 'wait',
  IN_APPEAL: 'wait',
  REJECTED: 'bad',
  PAUSED: 'bad',
  DISABLED: 'bad',
};

/** The templates that the provider of a channel stores, each with a preview. */
export function TemplateSection({ channel }: { channel: Pick<Channel, 'id'> }) {
  const { workspace } = useWhere();
  const asked = useTemplates(workspace.id, channel.id);
  return (
    <div className={classes.section}>
      <h3>{t('title')}</h3>
      <p className="dimmed">{t('hint')}</p>
      <Loaded asked={asked} lines={3}>
        {({ data, fetched_at }) => (
          <>
            <Found all={data} />
            <p className="dimmed">
              {t('fetchedAt')} <When at={fetched_at} isRealTime />
            </p>
          </>
        )}
      </Loaded>
    </div>
  );
}

function Found({ all }: { all: ProviderTemplate[] }) {
  const [words, setWords] = useState('');
  const [isWhole, setWhole] = useState(false);
  if (all.length === 0) return <p className="dimmed">{t('none')}</p>;
  const found = all.filter((it) => it.name.toLowerCase().includes(words.trim().toLowerCase()));
  const shown = isWhole ? found : found.slice(0, FEW);
  return (
    <>
      {all.length > FEW && (
        <TextInput
          aria-label={t('find')}
          placeholder={t('find')}
          leftSection={<IconSearch size={16} aria-hidden />}
          maxLength={100}
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
        />
      )}
      {found.length === 0 && <p className="dimmed">{t('noneFound')}</p>}
      <ul className={classes.list}>
        {shown.map((it) => (
          <li key={keyOf(it)}>
            <Template template={it} />
          </li>
        ))}
      </ul>
      {shown.length < found.length && (
        <Button variant="subtle" mt="xs" onClick={() => setWhole(true)}>
          {t('showAll', { count: found.length })}
        </Button>
      )}
    </>
  );
}

function Template({ template }: { template: ProviderTemplate }) {
  const { name, language, category, status, parameters } = template;
  const facts = [language, t.find('categories', category) ?? category];
  return (
    <details>
      <summary>
        {name} <span className="dimmed">{facts.join(' · ')}</span>{' '}
        <Status tone={TONES[status] ?? 'off'}>{t.find('statuses', status) ?? status}</Status>
      </summary>
      <TemplatePreview template={template} />
      {parameters.length > 0 && (
        <p className="dimmed">{t('parameters', { names: parameters.map((it) => it.name).join(', ') })}</p>
      )}
    </details>
  );
}
