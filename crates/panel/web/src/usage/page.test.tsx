import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { inLanguage } from '../i18n/testing';
import { serve, show } from '../settings/testing';
import { ErrorGroups } from './groups';
import { Histogram } from './histogram';
import { RequestList } from './request-list';
import type { useRows } from './use-log';

const AT = '2026-03-01T12:00:00.000Z';
const END = '2026-03-01T12:02:00.000Z';
const point = { at: AT, requests: 1_234, client_errors: 1, server_errors: 0 };
const group = {
  error_code: null,
  status: 503,
  method: 'GET',
  route: 'none',
  requests: 1_234,
  last_at: AT,
};
const query = { isPending: false, error: null } as ReturnType<typeof useRows>;

function Parts() {
  return (
    <>
      <Histogram counts={{ from: AT, to: END, interval: 'PT1M', data: [point] }} onChoose={() => undefined} />
      <ErrorGroups groups={[group]} error={null} retry={() => undefined} onChoose={() => undefined} />
      <RequestList
        ws="ws_live"
        query={query}
        rows={[]}
        names={undefined}
        search={{ last: 'P7D' }}
        onOpen={() => undefined}
        onChange={() => undefined}
      />
    </>
  );
}
const served = {
  'GET /platform/workspaces/ws_live/usage': () => ({ data: [group], next_cursor: null }),
};

test('describes the histogram in a sentence, and names the time span of an empty list', async () => {
  serve(served);
  show(<Parts />);
  const chart = await screen.findByRole('img', { name: /^Requests by minute/ });
  expect(chart.getAttribute('aria-label')).toMatch(
    /: 1,234 requests, 1 client error\. Maximum: 1,234 requests, at \d\d:\d\d\.$/,
  );
  expect(screen.getByRole('row', { name: /^no code 503 GET unknown route 1,234/ })).toBeTruthy();
  expect(await screen.findByText('No requests in the last 7 days')).toBeTruthy();
});

test('shows the usage log in German', async () => {
  serve(served);
  await inLanguage('de', async () => {
    show(<Parts />);
    const chart = await screen.findByRole('img', { name: /^Anfragen pro Minute, 1\. März/ });
    expect(chart.getAttribute('aria-label')).toMatch(/1\.234 Anfragen, 1 Clientfehler/);
    expect(screen.getByRole('row', { name: /^kein Code 503 GET unbekannte Route 1\.234/ })).toBeTruthy();
    expect(await screen.findByText('Keine Anfragen in den letzten 7 Tagen')).toBeTruthy();
  });
});
