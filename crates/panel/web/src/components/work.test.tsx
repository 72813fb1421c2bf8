import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { inLanguage } from '../i18n/testing';
import { WorkProgress } from './work';

const work = { id: 'import_1', status: 'running', created_at: '2026-01-01T00:00:00.000Z' } as const;

test('the progress of a job is in German, too', async () => {
  await inLanguage('de', () => {
    render(
      <MantineProvider env="test">
        <WorkProgress of={{ ...work, ended_at: null, error: null }} done={1} all={2} says="1 von 2" />
      </MantineProvider>,
    );
    expect(screen.getByRole('progressbar', { name: 'Fortschritt' })).toBeTruthy();
    expect(screen.getByText('läuft')).toBeTruthy();
  });
});
