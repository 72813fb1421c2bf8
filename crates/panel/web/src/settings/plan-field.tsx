import { Select, TextInput } from '@mantine/core';
import { useWhere } from '../app/here';
import { texts } from '../i18n/texts';
import { useLimit } from './api';
import type { Draft } from './draft';

const t = texts('settings');

type Plan = Draft['plan'];

/** The default limits in requests per minute. The server may be configured with others. */
const LIMITS: Record<Plan, number> = { starter: 600, pro: 2_000, business: 10_000 };

interface Props {
  value: Plan;
  /** The current plan. */
  saved: Plan;
  /** Absent for users who cannot change the plan. */
  onChange: ((plan: Plan) => void) | undefined;
  error: string | undefined;
}

export function PlanField({ value, saved, onChange, error }: Props) {
  const { workspace, inSandbox } = useWhere();
  const known = useLimit(workspace.id);
  const limit = value === saved && known !== undefined ? known : LIMITS[value];
  if (!onChange) {
    return (
      <TextInput
        label={t('plan')}
        description={inSandbox ? t('workspace.planSandbox') : t('workspace.planAllowsFixed', { limit })}
        readOnly
        value={value}
        error={error}
      />
    );
  }
  return (
    <Select
      label={t('plan')}
      description={inSandbox ? t('workspace.planSandbox') : t('workspace.planAllows', { limit })}
      inputWrapperOrder={['label', 'description', 'input', 'error']}
      allowDeselect={false}
      data={(Object.keys(LIMITS) as Plan[]).map((plan) => ({
        value: plan,
        label: t('workspace.planOption', { plan, limit: LIMITS[plan] }),
      }))}
      value={value}
      onChange={(plan) => plan && onChange(plan as Plan)}
      error={error}
    />
  );
}
