import { Button, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { texts } from '../i18n/texts';
import classes from './alone.module.css';

const common = texts('common');

export function NotFound() {
  return (
    <main className={classes.alone}>
      <div className={classes.card}>
        <Title order={1}>{common('nothingHere')}</Title>
        <p className="dimmed">{common('nothingHereHint')}</p>
        <Button component={Link} to="/">
          {common('toHome')}
        </Button>
      </div>
    </main>
  );
}
