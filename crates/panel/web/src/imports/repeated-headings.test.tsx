import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { serve, show } from '../settings/testing';
import { ImportPage } from './page';
import { checkOf, column, service } from './testing';

test('columns with the same heading can only be skipped, all at once', async () => {
  const place = column('Ort', { state: 'unknown' });
  const columns = [column('email', { target: 'email' }), place, place];
  serve(service({ 'POST /api/v1/contacts/import': (_, request) => checkOf(request, columns) }).answers);
  show(<ImportPage />, { path: '/contacts/import', route: '/contacts/import', role: 'owner' });
  await screen.findByText('Drop a file here, or');
  const file = new File(['email;Ort;Ort\n'], 'people.csv');
  await userEvent.upload(document.querySelector('input[type=file]') as HTMLInputElement, file);
  await userEvent.click(await screen.findByRole('button', { name: 'Continue to the columns' }));
  const [target] = await screen.findAllByRole('combobox', { name: 'Import “Ort” as' });
  await userEvent.click(target as HTMLElement);
  const skip = await screen.findByRole('option', { name: 'Do not import' });
  expect(screen.queryByRole('option', { name: 'Phone' })).toBeNull();
  await userEvent.click(skip);
  expect(await screen.findByText('All columns are ready')).toBeTruthy();
  await userEvent.click(screen.getAllByRole('combobox', { name: 'Import “Ort” as' })[1] as HTMLElement);
  await screen.findAllByRole('option', { name: 'Do not import' });
  expect(screen.queryByRole('option', { name: 'Phone' })).toBeNull();
});
