import { texts } from '../../i18n/texts';
import type { Definition, Reentry, Settings } from '../definition';
import { patched } from './context';
import { PickField } from './pick-field';
import { SpanField } from './span-field';

const t = texts('flow-forms');

interface Props {
  definition: Definition;
  onChange: (next: Definition) => void;
}

/** The settings of a flow: how runs start and end. */
export function SettingsForm({ definition, onChange }: Props) {
  const settings = definition.settings ?? {};
  const set = (patch: Partial<Settings>) => {
    const next = patched(settings, patch);
    onChange(patched(definition, { settings: Object.keys(next).length > 0 ? next : undefined }));
  };
  return (
    <>
      <PickField
        label={t('reentry')}
        field="/settings/reentry"
        value={settings.reentry ?? 'skip'}
        options={(['skip', 'restart', 'parallel'] as const).map((it) => ({
          value: it,
          label: t(`reentries.${it}`),
        }))}
        onChange={(reentry) => set({ reentry: reentry as Reentry })}
      />
      <SpanField
        label={t('expires')}
        hint={t('expiresHint')}
        field="/settings/expires_after"
        value={settings.expires_after}
        onChange={(expires_after) => set({ expires_after })}
      />
    </>
  );
}
