import type { components } from '../api/schema';

type Schemas = components['schemas'];

/** What is played: a script as flows keep it, or with a contact who is there. */
export type Story = Schemas['SimulationScript'] & { contact_id?: string };
export type Entry = Schemas['SimulationEntry'];
export type Simulated = Schemas['Simulation'];
export type Moment = Schemas['SimulationMoment'];
export type NotVisited = Schemas['NotVisited'];

/** How many entries a script has at the most. */
export const MOST = 100;

/** A story with another entry at its end. */
export function continued(story: Story, entry: Entry): Story {
  return { ...story, script: [...(story.script ?? []), entry] };
}

/** A story without its last entry. */
export function takenBack(story: Story): Story {
  return { ...story, script: (story.script ?? []).slice(0, -1) };
}

/** A story from its beginning. */
export function begunAgain(story: Story): Story {
  return { ...story, script: [] };
}

/** Whether there is something to play: an entry, or a start by request. */
export function isBegun(story: Story): boolean {
  // Without a script time goes on until nothing more is to come.
  return story.script === undefined || story.script.length > 0 || story.start === 'api';
}

/** The request that plays a story. A real contact takes the place of one that is made up. */
export function bodyOf(story: Story): Omit<Story, 'name'> {
  const { name: _, contact, contact_id, ...rest } = story;
  return {
    ...rest,
    ...(contact_id ? { contact_id } : { contact: contact ?? {} }),
  };
}

/** The same as a script that a flow keeps under a name. It expects what came, where that is asked for. */
export function keptAs(name: string, story: Story, expect?: Story['expect']): Story {
  const { contact_id: _, ...rest } = story;
  return { ...rest, name, ...(expect && { expect }) };
}

/** What a simulation sent and where in its flow it went, as a script expects it. */
export function expectationOf({ trace, contact }: Simulated, flow: string): Story['expect'] {
  const nodes = trace.flatMap((it) =>
    it.type === 'node' && it.flow_id === flow && !it.resumed ? [it.node_id] : [],
  );
  const texts = trace.flatMap((it) =>
    it.type === 'node' && it.message?.sent && it.message.text ? [it.message.text] : [],
  );
  const tags = contact.tags.map((it) => it.name);
  return { nodes, texts, ...(tags.length > 0 && { tags }) };
}

/** Scripts with one put in the place of another of its name, or at the end. */
export function withScript<It extends { name?: string }>(all: It[], script: It): It[] {
  const at = all.findIndex((it) => it.name === script.name);
  return at < 0 ? [...all, script] : all.map((it, place) => (place === at ? script : it));
}
