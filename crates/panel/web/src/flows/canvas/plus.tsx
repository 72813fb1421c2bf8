import { IconPlus } from '@tabler/icons-react';
import type { Place } from '../graph/edit';
import { useOfferSteps } from './adding';
import classes from './plus.module.css';

interface Props {
  label: string;
  after: NonNullable<Place['after']>;
  /** Whether the button is a tab stop. */
  stop: boolean;
  style?: React.CSSProperties;
}

/** A button that adds a step after an exit. */
export function Plus({ label, after, stop, style }: Props) {
  const offer = useOfferSteps();
  if (!offer) return null;
  return (
    <button
      type="button"
      className={`${classes.plus} nodrag nopan`}
      style={style}
      tabIndex={stop ? 0 : -1}
      aria-label={label}
      title={label}
      aria-haspopup="menu"
      onClick={(event) => {
        event.stopPropagation();
        const { left, bottom } = event.currentTarget.getBoundingClientRect();
        offer({ after }, { x: left, y: bottom });
      }}
      // The canvas handles the same keys.
      onKeyDown={(event) => event.stopPropagation()}
    >
      <IconPlus size={12} aria-hidden />
    </button>
  );
}
