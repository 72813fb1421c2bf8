import { Radio } from '@mantine/core';
import classes from './choice-cards.module.css';

interface Choice<Value> {
  value: Value;
  /** The label, if it differs from the value. */
  name?: string;
  /** A description in one line. */
  says: string;
  /** A short note beside the label. */
  aside?: string;
}

interface Props<Value> {
  label: string;
  choices: Choice<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  error?: string;
}

/** A radio group with a card and a description for each choice. */
export function ChoiceCards<Value extends string>({ label, choices, value, onChange, error }: Props<Value>) {
  return (
    <Radio.Group
      label={label}
      value={value}
      onChange={(next) => onChange(next as Value)}
      error={error}
      classNames={{ label: classes.label }}
    >
      <div className={classes.cards}>
        {choices.map((it) => (
          <Radio.Card key={it.value} value={it.value} className={classes.card}>
            <Radio.Indicator aria-hidden />
            <span className={classes.words}>
              <span className={classes.head}>
                <b>{it.name ?? it.value}</b>
                {it.aside && <code className={classes.aside}>{it.aside}</code>}
              </span>
              <span className="dimmed">{it.says}</span>
            </span>
          </Radio.Card>
        ))}
      </div>
    </Radio.Group>
  );
}
