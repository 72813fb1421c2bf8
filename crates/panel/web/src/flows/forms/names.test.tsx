import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { inLanguage } from '../../i18n/testing';
import { emptyLists, serve, show } from '../../settings/testing';
import { useNames } from '../build/use-names';
import { FlowCanvas } from '../canvas/flow-canvas';
import type { Definition, FlowNode } from '../definition';
import { page } from '../testing';
import { Surroundings } from './context';
import { ExitsForm } from './exits-form';
import { NodeForm } from './node-form';

const TAG = 'tag_01h455vb4pex5vsknk084sn02q';
const GRACE = 'user_01h455vb4pex5vsknk084sn02q';

function answers() {
  return {
    ...emptyLists('flows', 'sequences', 'channels'),
    'GET /api/v1/tags': () => page({ id: TAG, name: 'VIP' }),
    'GET /api/v1/assignees': () => page({ id: GRACE, name: 'Grace' }),
  };
}

const assign = (id: string): FlowNode => ({ id, type: 'assign_conversation', user_id: GRACE, next: 'end' });

/** The summaries of nodes on the canvas. */
function Summaries({ definition }: { definition: Definition }) {
  const names = useNames();
  return <FlowCanvas definition={definition} selected={[]} onSelect={() => undefined} names={names} />;
}

test('next steps have the names of their objects, and an ID only if they have the same texts', async () => {
  serve(answers());
  const node: FlowNode = { id: 'first', type: 'note', text: 'Called' };
  const definition: Definition = {
    nodes: [node, { id: 'tagged', type: 'add_tag', tag: TAG }, assign('one'), assign('two')],
  };
  const surroundings = { definition, fault: () => undefined };
  show(
    <Surroundings value={surroundings}>
      <ExitsForm node={node} definition={definition} onChange={() => undefined} />
    </Surroundings>,
    { role: 'member' },
  );
  await userEvent.click(await screen.findByRole('combobox', { name: 'next' }));
  expect(await screen.findByRole('option', { name: 'Add tag: VIP' })).toBeTruthy();
  expect(screen.getByRole('option', { name: 'Hand over to an agent: Grace (one)' })).toBeTruthy();
  expect(screen.getByRole('option', { name: 'Hand over to an agent: Grace (two)' })).toBeTruthy();
});

test('the canvas shows the name of a member, but no ID to users who may not know it', async () => {
  serve(answers());
  show(<Summaries definition={{ nodes: [assign('one')] }} />, { role: 'member' });
  expect(await screen.findByText('Grace')).toBeTruthy();
});

test('the canvas shows no ID of an unknown member, in German', () =>
  inLanguage('de', async () => {
    serve(answers());
    show(<Summaries definition={{ nodes: [assign('one')] }} />, { role: 'viewer' });
    expect(await screen.findByText('ein bestimmtes Mitglied')).toBeTruthy();
    expect(screen.queryByText(GRACE)).toBeNull();
  }));

function Form() {
  const [node, setNode] = useState(assign('one'));
  return (
    <Surroundings value={{ definition: { nodes: [node] }, fault: () => undefined }}>
      <NodeForm node={node} onChange={setNode} />
    </Surroundings>
  );
}

test('a user who cannot list members selects an agent by name', async () => {
  serve(answers());
  show(<Form />, { role: 'member' });
  const field = (await screen.findByRole('combobox', { name: 'Assign to' })) as HTMLInputElement;
  await userEvent.click(field);
  await userEvent.click(await screen.findByRole('option', { name: 'Any agent' }));
  expect(field.value).toBe('Any agent');
  await userEvent.click(field);
  await userEvent.click(await screen.findByRole('option', { name: 'Grace' }));
  expect(field.value).toBe('Grace');
});
