import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { type Answers, problem, serve, show } from '../settings/testing';
import Search from './search';

const page = (data: unknown[], next_cursor: string | null = null) => ({ data, next_cursor });
const named = (id: string, name: string) => ({ id, name });

function answers(but: Answers = {}): Answers {
  return {
    'GET /api/v1/contacts': () =>
      page([
        { id: 'contact_1', name: 'Ada Welcome', email: 'ada@example.com', phone: null, external_id: null },
      ]),
    'GET /api/v1/flows': () => page([named('flow_1', 'Welcome'), named('flow_2', 'Orders')]),
    'GET /api/v1/broadcasts': () => page([named('bcast_1', 'Welcome back')]),
    'GET /api/v1/segments': () => page([named('seg_1', 'Welcomed')]),
    'GET /api/v1/sequences': () => page([named('seq_1', 'Wélcome series')]),
    ...but,
  };
}

const showSearch = () =>
  show(<Search onClose={() => undefined} />, { role: 'admin', route: '/$', path: '/x' });
const field = () => screen.findByRole('combobox', { name: 'Find a page, a name or an ID' });
const options = (group: string) =>
  within(screen.getByRole('group', { name: group }))
    .getAllByRole('option')
    .map((it) => it.textContent);

test('finds objects by name, in groups', async () => {
  const { asked } = serve(answers());
  showSearch();
  await userEvent.type(await field(), 'welcome');
  await screen.findByRole('option', { name: /Ada Welcome/ });
  expect(options('Contacts')).toEqual(['Ada Welcomeada@example.com']);
  expect(options('Flows')).toEqual(['Welcome']);
  expect(options('Broadcasts')).toEqual(['Welcome back']);
  expect(options('Segments')).toEqual(['Welcomed']);
  expect(options('Sequences')).toEqual(['Wélcome series']);
  // One search for the whole text, and one request for each list.
  expect(asked.filter((it) => it === 'GET /api/v1/contacts')).toHaveLength(1);
  expect(asked.filter((it) => it === 'GET /api/v1/flows')).toHaveLength(1);
});

test('shows settings before objects, and arrow keys cross groups', async () => {
  serve(answers({ 'GET /api/v1/flows': () => page([named('flow_1', 'Tagging')]) }));
  const { router } = showSearch();
  const input = await field();
  await userEvent.type(input, 'tag');
  await screen.findByRole('option', { name: 'Tagging' });
  await screen.findByRole('option', { name: /^Ada/ });
  expect(options('Pages')).toEqual(['Tags']);
  const chosen = () =>
    document.getElementById(input.getAttribute('aria-activedescendant') ?? '')?.textContent;
  expect(chosen()).toBe('Tags');
  await userEvent.keyboard('{ArrowDown}{ArrowDown}');
  expect(chosen()).toBe('Tagging');
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(router.state.location.pathname).toBe('/flows/flow_1'));
});

test('shows at most five objects of a type, and searches a long list with the API', async () => {
  const many = Array.from({ length: 9 }, (_, at) => named(`flow_${at}`, `Order ${at}`));
  const searched = vi.fn();
  serve(
    answers({
      'GET /api/v1/flows': (_, { url }) => {
        const q = new URL(url).searchParams.get('q');
        if (q === null) return page([named('flow_x', 'Other')], 'more');
        searched(q);
        return page(many);
      },
    }),
  );
  showSearch();
  await userEvent.type(await field(), 'order');
  await screen.findByRole('option', { name: 'Order 0' });
  expect(options('Flows')).toHaveLength(5);
  expect(searched.mock.calls).toEqual([['order']]);
});

test('reports a list that cannot be searched, and shows the others', async () => {
  serve(answers({ 'GET /api/v1/contacts': () => problem(503, 'unavailable', 'The service is busy.') }));
  showSearch();
  await userEvent.type(await field(), 'welcome');
  await screen.findByText(/^Contacts cannot be searched: /);
  expect(options('Flows')).toEqual(['Welcome']);
});

test('does not search objects for one character or an ID', async () => {
  const { asked } = serve(answers());
  showSearch();
  const input = await field();
  await userEvent.type(input, 'w');
  await userEvent.clear(input);
  await userEvent.click(input);
  await userEvent.paste('flow_01h455vb4pex5vsknk084sn02q');
  expect(options('ID')).toEqual(['Open flow_01h455vb4pex5vsknk084sn02q']);
  expect(asked).toEqual([]);
});
