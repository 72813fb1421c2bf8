import { Button, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { en } from '../i18n/en';
import classes from './alone.module.css';

/** For addresses that lead nowhere. */
export function NotFound() {
  return (
    <main className={classes.alone}>
      <div className={classes.card}>
        <Title order={1}>{en.common.nothingHere}</Title>
        <p className="dimmed">{en.common.nothingHereHint}</p>
        <Button component={Link} to="/">
          {en.common.toHome}
        </Button>
      </div>
    </main>
  );
}
