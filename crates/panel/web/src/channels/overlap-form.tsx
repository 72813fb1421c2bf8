import { Input, SegmentedControl } from '@mantine/core';
import { dayAndTime } from '../components/time';
import { texts } from '../i18n/texts';
import { endOfOverlap, OVERLAPS, type Overlap } from '../webhooks/overlap';
import type { ChannelDraft } from './api';

const t = texts('channels');

/** The overlap of the server if a request names none. */
export const USUAL_OVERLAP: Overlap = 'PT24H';

/** The secrets that sign the requests of a provider. The server uses others only for its own requests. */
const SIGNING = ['secrets/app_secret', 'secrets/auth_token', 'secrets/inbound_secret'] as const;

/** Whether a draft replaces a secret that signs the requests of the provider. */
export function replacesSigning(draft: ChannelDraft): boolean {
  return SIGNING.some((it) => String(draft[it] ?? '').trim() !== '');
}

interface Props {
  value: Overlap;
  error: string | undefined;
  onChange: (overlap: Overlap) => void;
}

/** Selects how long requests with the signature of the old secret are accepted. */
export function OverlapForm({ value, error, onChange }: Props) {
  return (
    <Input.Wrapper
      label={t('overlap')}
      labelElement="div"
      description={
        value === 'PT0S'
          ? t('overlapNow')
          : t('overlapEnds', { time: dayAndTime(endOfOverlap(value, Date.now())) })
      }
      error={error}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
    >
      <div>
        <SegmentedControl
          aria-label={t('overlap')}
          value={value}
          onChange={(next) => onChange(next as Overlap)}
          data={OVERLAPS.map((it) => ({ value: it, label: t(`overlaps.${it}`) }))}
        />
      </div>
    </Input.Wrapper>
  );
}
