import { Button, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import classes from '../app/alone.module.css';
import { Brand } from '../app/brand';
import { Failure } from '../components/failure';
import { Waiting } from '../components/waiting';
import { texts } from '../i18n/texts';
import { isGone } from './told';

const t = texts('login');

interface Props<Data> {
  /** The query for the object of the link. */
  link: { data?: Data; error: unknown; refetch: () => unknown };
  /** The text for a link that is no longer valid. */
  gone: { title: string; hint: string };
  children: (data: Data) => React.ReactNode;
}

/** A page that is opened by a link. If the link is no longer valid, it shows `gone`. */
export function LinkCard<Data>({ link, gone, children }: Props<Data>) {
  return (
    <main className={classes.alone}>
      <div className={classes.card}>
        <div className={classes.brand}>
          <Brand />
          {t('product')}
        </div>
        {link.data ? (
          children(link.data)
        ) : isGone(link.error) ? (
          <>
            <Title order={1}>{gone.title}</Title>
            <p className="dimmed">{gone.hint}</p>
            <ToSignIn />
          </>
        ) : link.error ? (
          <Failure error={link.error} retry={() => void link.refetch()} />
        ) : (
          <Waiting lines={4} />
        )}
      </div>
    </main>
  );
}

export function ToSignIn() {
  return (
    <Button component={Link} to="/login" fullWidth>
      {t('toSignIn')}
    </Button>
  );
}
