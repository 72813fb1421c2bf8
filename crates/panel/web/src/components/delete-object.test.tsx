import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { Problem } from '../api/problem';
import { inLanguage } from '../i18n/testing';
import { show } from '../settings/testing';
import { DeleteObject } from './delete-object';

test('asks again in German if the object has dependents', () =>
  inLanguage('de', async () => {
    const dependents = [
      { type: 'segment', id: 'seg_1', name: 'Gute Kunden' },
      { type: 'flow_draft', id: 'flow_1', name: 'Willkommen' },
    ];
    const inUse = new Problem(409, 'in_use', 'In use.', undefined, [], undefined, { dependents });
    const remove = vi.fn(async (force: boolean) => {
      if (!force) throw inUse;
    });
    const gone = vi.fn();
    const texts = { title: 'Tag löschen?', hint: 'Endgültig.', verb: 'Tag löschen' };
    show(<DeleteObject {...texts} remove={remove} opened onClose={() => undefined} onGone={gone} />);
    await userEvent.click(await screen.findByRole('button', { name: 'Tag löschen' }));
    expect(await screen.findByText('Diese Objekte nutzen es und würden es verlieren:')).toBeTruthy();
    expect(screen.getAllByRole('listitem').map((it) => it.textContent)).toEqual([
      'Segment Gute Kunden',
      'Entwurf eines Ablaufs Willkommen',
    ]);
    await userEvent.click(screen.getByRole('button', { name: 'Trotzdem löschen' }));
    await waitFor(() => expect(gone).toHaveBeenCalledOnce());
    expect(remove.mock.calls.map(([force]) => force)).toEqual([false, true]);
  }));
