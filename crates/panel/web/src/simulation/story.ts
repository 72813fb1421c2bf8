import type { components } from '../api/schema';

type Schemas = components['schemas'];

/** A simulation: a script as flows store it, optionally with an existing contact. */
export type Story = Schemas['SimulationScript'] & { contact_id?: string };
export type Entry = Schemas['SimulationEntry'];
export type Simulated = Schemas['Simulation'];
export type Moment = Schemas['SimulationMoment'];
export type NotVisited = Schemas['NotVisited'];

/** The most entries of a script. */
export const MOST = 100;

/** Adds an entry at the end. */
export function continued(story: Story, entry: Entry): Story {
  return { ...story, script: [...(story.script ?? []), entry] };
}

/** Removes the last entry. */
export function takenBack(story: Story): Story {
  return { ...story, script: (story.script ?? []).slice(0, -1) };
}

/** Removes all entries. */
export function begunAgain(story: Story): Story {
  return { ...story, script: [] };
}

/** Whether there is something to simulate: an entry, or a start by the API. */
export function isBegun(story: Story): boolean {
  // Without a script, time passes until the end.
  return story.script === undefined || story.script.length > 0 || story.start === 'api';
}

/** The request for a simulation. An existing contact replaces the made-up one. */
export function bodyOf(story: Story): Omit<Story, 'name'> {
  const { name: _, contact, contact_id, ...rest } = story;
  return {
    ...rest,
    ...(contact_id ? { contact_id } : { contact: contact ?? {} }),
  };
}

/** Converts a simulation to a named script, optionally with expectations. */
export function keptAs(name: string, story: Story, expect?: Story['expect']): Story {
  const { contact_id: _, ...rest } = story;
  return { ...rest, name, ...(expect && { expect }) };
}

/** The nodes, messages and tags of a simulation, as expectations of a script. */
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

/** Replaces the script with the same name, or adds it at the end. */
export function withScript<It extends { name?: string }>(all: It[], script: It): It[] {
  const at = all.findIndex((it) => it.name === script.name);
  return at < 0 ? [...all, script] : all.map((it, place) => (place === at ? script : it));
}
