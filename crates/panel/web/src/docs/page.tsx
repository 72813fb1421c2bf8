import { Button, useComputedColorScheme } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useLayoutEffect } from 'react';
import { api } from '../api/client';
import { useWhere } from '../app/here';
import { KEPT_PLACE } from '../app/kept-place';
import { session } from '../app/session';
import { useAccount } from '../app/use-session';
import { CopyIcon } from '../components/copy';
import { Page } from '../components/page';
import { Failure, Waiting } from '../components/states';
import { texts } from '../i18n/texts';
import classes from './page.module.css';
import { pageKey } from './page-key';
import { loadReference, showReference } from './reference';

const t = texts('docs');

/** The API reference, with a sandbox key to send requests. */
export function Docs() {
  const { user } = useAccount();
  const { sandbox, administers } = useWhere();
  const mayHaveKey = administers && sandbox !== undefined;
  const key = useQuery({
    queryKey: ['docs-key', sandbox?.id],
    enabled: mayHaveKey,
    queryFn: () => pageKey(sandbox?.id ?? '', user.name),
    staleTime: Number.POSITIVE_INFINITY,
    retry: 1,
  });
  const settled = !mayHaveKey || !key.isPending;
  // The scripts are large, so they load while the key is created.
  const script = useQuery({
    queryKey: ['reference'],
    queryFn: () => loadReference().then(() => true),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return (
    <Page title={t('title')} description={t('description')} wide>
      <div className={classes.note}>
        {!administers ? (
          t('noKey')
        ) : !sandbox ? (
          <Offer />
        ) : key.error ? (
          t('keyFailed')
        ) : key.data ? (
          <>
            {t('keyReady')} <code>{`${key.data.slice(0, 9)}…${key.data.slice(-4)}`}</code>
            <CopyIcon text={key.data} what={t('theKey')} />
          </>
        ) : (
          t('loading')
        )}
      </div>
      {script.error ? (
        <Failure error={new Error(t('failed'))} retry={() => void script.refetch()} />
      ) : settled && script.isSuccess ? (
        <Reference apiKey={key.data} />
      ) : (
        <Waiting />
      )}
    </Page>
  );
}

function Offer() {
  const { live } = useWhere();
  const make = useMutation({
    mutationFn: async () => {
      await api.POST('/platform/workspaces/{ws}/sandbox', { params: { path: { ws: live.id } } });
      await session.reload();
    },
  });
  return (
    <>
      {t('noSandbox')}
      <Button size="xs" variant="default" loading={make.isPending} onClick={() => make.mutate()}>
        {t('createSandbox')}
      </Button>
      {make.error && <Failure error={make.error} />}
    </>
  );
}

/** Shows the reference below the page, after its scripts are loaded. */
function Reference({ apiKey }: { apiKey: string | undefined }) {
  const dark = useComputedColorScheme() === 'dark';
  // The reference is hidden together with the page.
  useLayoutEffect(() => {
    // The page is painted before the reference is drawn, which blocks the window.
    let hide: (() => void) | undefined;
    let timer: number | undefined;
    const painted = requestAnimationFrame(() => {
      timer = window.setTimeout(() => {
        const place = document.getElementById(KEPT_PLACE);
        hide = place ? showReference(place, dark, apiKey) : undefined;
      });
    });
    return () => {
      cancelAnimationFrame(painted);
      window.clearTimeout(timer);
      hide?.();
    };
  }, [dark, apiKey]);
  return null;
}
