import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { emptyLists, serve, show } from '../settings/testing';
import SimulatePart from './simulate';
import { flow, page } from './testing';

const AT = '2026-01-01T09:00:00.000Z';

test('each message simulates the whole script, and shows the coverage of the flow', async () => {
  const played: unknown[] = [];
  serve({
    ...emptyLists('flows', 'sequences', 'tags'),
    'POST /api/v1/flows/flow_1/simulate': (body) => {
      const { script } = body as { script: { message?: string; advance?: string }[] };
      played.push(script);
      return {
        version: null,
        left_out: [],
        not_visited: { nodes: ['end'], exits: [], steps: [] },
        simulations: [
          {
            name: null,
            failed_expectations: [],
            trace: script.flatMap((_, entry) => [
              { type: 'entry', at: AT, entry, said: 'something' },
              {
                type: 'node',
                at: AT,
                run_id: 'run_1',
                flow_id: 'flow_1',
                node_id: 'greet',
                node_type: 'send_message',
                outcome: 'queued',
                outcome_parts: [{ code: 'queued' }],
                exit: 'next',
                resumed: false,
                wait: null,
                decision: null,
                called_run_id: null,
                message: {
                  type: 'text',
                  text: 'Hello',
                  attachments: [],
                  quick_replies: [{ title: 'Thanks' }],
                  template: null,
                  sent: true,
                },
              },
            ]),
          },
        ],
      };
    },
  });
  show(
    <SimulatePart
      read={{ flow: flow(), etag: '"1-a"' }}
      search={{}}
      show={() => undefined}
      typed={undefined}
      setTyped={() => undefined}
    />,
  );
  await userEvent.type(await screen.findByRole('textbox', { name: 'Message of the contact' }), 'hi{Enter}');
  const log = screen.getByRole('log');
  await within(log).findByText('Hello');
  expect(screen.getByText(/covers 1 of 2 nodes/)).toBeTruthy();
  const steps = screen.getByRole('region', { name: 'Step by step' });
  expect(steps.textContent).toContain('Send message Hello');
  expect(screen.queryByText('greet')).toBeNull();
  await userEvent.click(within(log).getByRole('button', { name: 'Thanks' }));
  await userEvent.click(screen.getByRole('button', { name: '+ 1 day' }));
  await within(log).findByText('1 day passes');
  await userEvent.click(screen.getByRole('button', { name: 'Undo the last entry' }));
  await waitFor(() => expect(within(log).queryByText('1 day passes')).toBeNull());
  expect(played).toEqual([
    [{ message: 'hi' }],
    [{ message: 'hi' }, { message: 'Thanks' }],
    [{ message: 'hi' }, { message: 'Thanks' }, { advance: 'P1D' }],
  ]);
}, 20_000);

/** A simulation of a flow that another user changes in the meantime. */
function Changing({ from, to }: { from: object; to: object }) {
  const [definition, setDefinition] = useState(from);
  return (
    <>
      <button type="button" onClick={() => setDefinition(to)}>
        Save a trigger
      </button>
      <SimulatePart
        read={{ flow: flow({ definition: definition as never }), etag: '"1-a"' }}
        search={{}}
        show={() => undefined}
        typed={undefined}
        setTyped={() => undefined}
      />
    </>
  );
}

test('sends the entered reference of a message through a link', async () => {
  const played: unknown[] = [];
  serve({
    ...emptyLists('flows', 'sequences', 'tags'),
    'POST /api/v1/flows/flow_1/simulate': (body) => {
      played.push((body as { script: unknown }).script);
      const trace = [{ type: 'entry', at: AT, entry: 0, code: 'message', said: 'something' }];
      return {
        version: null,
        left_out: [],
        not_visited: { nodes: [], exits: [], steps: [] },
        simulations: [{ name: null, failed_expectations: [], trace }],
      };
    },
  });
  const definition = (ref: string) => ({
    ...flow().definition,
    triggers: [{ type: 'referral', ref, match: 'starts_with' }],
  });
  show(<Changing from={definition('autumn')} to={definition('spring')} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Link …' }));
  const dialog = within(await screen.findByRole('dialog'));
  const ref = dialog.getByRole('textbox', { name: 'Reference' }) as HTMLInputElement;
  expect(ref.value).toBe('autumn');
  await act(async () => screen.getByText('Save a trigger').click());
  expect(ref.value).toBe('spring');
  await userEvent.type(ref, '-2');
  await userEvent.click(dialog.getByRole('button', { name: 'Write' }));
  const log = within(screen.getByRole('log'));
  expect(await log.findByText('By a link or an advertisement: spring-2')).toBeTruthy();
  expect(log.getByText('Hello')).toBeTruthy();
  expect(played).toEqual([[{ message: 'Hello', ref: 'spring-2' }]]);
}, 20_000);

test('the nodes of a called flow are shown as on the canvas, with the name of the flow', async () => {
  const visit = {
    type: 'node',
    at: AT,
    run_id: 'run_1',
    flow_id: 'flow_2',
    node_id: 'thank',
    node_type: 'send_message',
    outcome: 'queued',
    outcome_parts: [{ code: 'queued' }],
    exit: null,
    wait: null,
    decision: null,
    message: null,
  };
  const nodes = [{ id: 'thank', type: 'send_message', message: { type: 'text', text: 'Thank you' } }];
  serve({
    'GET /api/v1/flows': () => page({ id: 'flow_2', name: 'Survey' }),
    'GET /api/v1/flows/flow_2': () => flow({ id: 'flow_2', definition: { nodes } as never }),
    ...emptyLists('sequences', 'tags'),
    'POST /api/v1/flows/flow_1/simulate': () => ({
      version: null,
      left_out: [],
      not_visited: { nodes: [], exits: [], steps: [] },
      simulations: [{ name: null, failed_expectations: [], trace: [visit] }],
    }),
  });
  show(
    <SimulatePart
      read={{ flow: flow({ definition: { nodes: [] } as never }), etag: '"1-a"' }}
      search={{}}
      show={() => undefined}
      typed={undefined}
      setTyped={() => undefined}
    />,
  );
  const steps = within(await screen.findByRole('region', { name: 'Step by step' }));
  expect(await steps.findByText('Thank you')).toBeTruthy();
  expect(await steps.findByText('Survey')).toBeTruthy();
  expect(steps.queryByText('thank')).toBeNull();
});
