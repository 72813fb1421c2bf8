import { Box, Title } from '@mantine/core';
import { useAccount } from '../app/use-session';
import { Details } from '../components/details';
import { Id } from '../components/id';
import { Page } from '../components/page';
import { day } from '../components/time';
import { texts } from '../i18n/texts';
import { Leave } from '../members/leave';
import { AccountForm } from './account-form';
import { AccountLanguage } from './account-language';
import { PasswordForm } from './password-form';
import { Sessions } from './sessions';
import classes from './settings.module.css';

const members = texts('members');
const t = texts('settings');

/** Settings › Profile and sessions. */
export function Profile() {
  const { user } = useAccount();
  const rows: [string, React.ReactNode][] = [[t('created'), day(user.created_at)]];
  if (user.operator) rows.push([t('profile.operator'), t('profile.isOperator')]);
  rows.push([t('id'), <Id key="id" id={user.id} />]);
  return (
    <Page
      title={t('profile.title')}
      description={t('profile.description')}
      call={{ path: '/auth/me', credential: '$TIDINGS_TOKEN' }}
    >
      <section aria-labelledby="you">
        <Title order={2} id="you">
          {t('profile.account')}
        </Title>
        <AccountForm name={user.name} email={user.email} />
        <Box mt="md">
          <Details rows={rows} />
        </Box>
      </section>
      <section className={classes.section} aria-labelledby="language">
        <Title order={2} id="language">
          {t('language')}
        </Title>
        <div className={classes.form}>
          <AccountLanguage />
        </div>
      </section>
      <section className={classes.section} aria-labelledby="password">
        <Title order={2} id="password">
          {t('password')}
        </Title>
        <PasswordForm email={user.email} />
      </section>
      <Sessions />
      <section className={classes.section} aria-labelledby="membership">
        <Title order={2} id="membership">
          {members('membership')}
        </Title>
        <Leave />
      </section>
    </Page>
  );
}
