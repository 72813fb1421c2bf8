import { Fact } from '../components/facts';
import { number } from '../i18n/format';

interface Props {
  name: string;
  /** `undefined` while it is loading. */
  value: number | undefined;
  /** Set if a value above zero needs attention. */
  tone?: 'wait' | 'bad';
}

export function Figure({ name, value, tone }: Props) {
  return (
    <Fact name={name} tone={value ? tone : undefined}>
      {value === undefined ? '–' : number(value)}
    </Fact>
  );
}
