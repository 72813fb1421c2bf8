import { Button } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { texts } from '../i18n/texts';
import classes from './filter-fold.module.css';
import { usePhone } from './phone';

const common = texts('common');

interface Props {
  /** The values of the filters. A filter is set if its value is not `undefined`. */
  set: unknown[];
  children: React.ReactNode;
}

/**
 * The filters of a list. On a phone, a button shows and hides them and contains the number of set filters.
 */
export function FilterFold({ set, children }: Props) {
  const onPhone = usePhone();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  if (!onPhone) return children;
  const count = set.filter((it) => it !== undefined).length;
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconFilter size={16} aria-hidden />}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {count === 0 ? common('filters') : common('filtersSet', { set: count })}
      </Button>
      {isOpen && (
        <div id={id} className={classes.filters}>
          {children}
        </div>
      )}
    </>
  );
}
