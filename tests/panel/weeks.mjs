// Five weeks in the sandbox: the acts of customers and agents in the order of the sandbox clock.
import * as example from './example.mjs';

const MINUTE = 60_000;
const DAY = 1_440;
/** The number of days, and the last minute: a Thursday afternoon. */
const DAYS = 36;
const END = DAYS * DAY + 15 * 60 + 40;

/** Plays the five weeks. */
export async function pass(sandbox, people) {
  const start = wednesday(Date.now());
  const begun = [...arrivals(sandbox), ...plays(sandbox), ...letters(sandbox), ...talks(sandbox, people, start), ...story(sandbox, people)];
  const agenda = [...begun, ...evenings(sandbox, people), [16 * DAY + 8 * 60, () => improve(sandbox)]];
  for (const [minute, act] of agenda.toSorted(([one], [other]) => one - other)) {
    if (minute > END) break;
    await move(sandbox, start + minute * MINUTE);
    await act();
  }
  await move(sandbox, start + END * MINUTE);
  await draft(sandbox);
  sandbox.run = await longest(sandbox);
  sandbox.contact = (await sandbox.get(`contacts/external_id:${example.CUSTOMERS[example.STORY.customer].external_id}`)).id;
}

/** Returns the ID of the recent run of the workshop's flow with the longest trace. */
async function longest(sandbox) {
  const { data } = await sandbox.get(`flow-runs?flow_id=${sandbox.flows['Workshop booking']}&status=completed&limit=12`);
  const runs = await Promise.all(data.map(({ id }) => sandbox.get(`flow-runs/${id}`)));
  return runs.toSorted((one, other) => other.trace.length - one.trace.length)[0].id;
}

/** The beginning of the next Wednesday. */
function wednesday(now) {
  const day = new Date(Math.ceil(now / (DAY * MINUTE)) * DAY * MINUTE);
  return day.getTime() + ((10 - day.getUTCDay()) % 7) * DAY * MINUTE;
}

/** Advances the clock. Sends requests until the clock has reached the time. */
async function move(sandbox, to) {
  if (Date.parse((await sandbox.get('sandbox/clock')).now) >= to) return;
  const until = new Date(to).toISOString();
  while (!(await sandbox.post('sandbox/clock', { until })).arrived);
}

/** The number of initial customers, and of new customers on each weekday from Wednesday on. */
const AT_FIRST = 18;
const COMING = [1, 2, 1, 2, 0, 1, 2];
/** The day on which each customer is created. */
const DAY_OF = [...Array(AT_FIRST).fill(0), ...Array.from({ length: DAYS }, (_, day) => Array(COMING[(day + 1) % 7]).fill(day + 1)).flat()];

function arrivals(sandbox) {
  return example.CUSTOMERS.map((customer, at) => [DAY_OF[at] * DAY + 9 * 60 + at, () => welcome(sandbox, customer)]);
}

/** Creates a customer and enrolls them in the sequence for new owners. */
export async function welcome(at, customer) {
  await at.post('contacts', customer);
  const id = at.sequences['First month with a new bike'];
  if (customer.subscribed !== false && !customer.status) await at.post(`contacts/external_id:${customer.external_id}/sequences/${id}`);
}

/** Publishes the second version of the workshop's flow, with offers. */
export async function improve(at) {
  const id = at.flows['Workshop booking'];
  const { definition } = example.FLOWS.find((it) => it.name === 'Workshop booking');
  await at.patch(`flows/${id}`, { definition });
  await at.post(`flows/${id}/publish`);
}

/** The number of customers who write to flows on each weekday, from Wednesday on. */
const BUSY = [6, 5, 7, 10, 2, 4, 6];
/** Whether the customer talks with agents instead of flows. */
const isTalking = (who) => who % 6 === 0;

/** The messages of customers to flows. */
function plays(sandbox) {
  const agenda = [];
  let count = 0;
  for (let day = 1; day <= DAYS; day += 1) {
    const there = example.CUSTOMERS.map((_, who) => who).filter((who) => DAY_OF[who] < day && !isTalking(who));
    for (let nth = 0; nth < BUSY[day % 7] + (day % 3); nth += 1) {
      count += 1;
      const who = there[(count * 13) % there.length];
      const play = example.PLAYS[(count * 5) % example.PLAYS.length];
      const begin = day * DAY + 9 * 60 + ((nth * 47 + day * 31) % 360);
      for (const [after, text] of play) agenda.push([begin + after, () => said(sandbox, who, text)]);
      const rating = example.RATINGS[count % example.RATINGS.length];
      const isWork = /Brakes|Puncture|service/.test(play.at(-1)[1]);
      if (isWork && rating) agenda.push([(day + 2) * DAY + 20 * 60 + nth, () => said(sandbox, who, rating)]);
    }
  }
  return agenda;
}

function said(sandbox, who, text) {
  const { external_id: contact } = example.CUSTOMERS[who];
  return sandbox.post('sandbox/inbound', { contact, text });
}

/** In the evening, agents reply to handed-over conversations and resolve them. */
function evenings(sandbox, { Jonas }) {
  const answer = async () => {
    const { data } = await sandbox.get('conversations?status=open&limit=100');
    for (const { id } of data.filter((it) => !it.assignee_id)) {
      await sandbox.post(`conversations/${id}/messages`, { type: 'text', text: example.SORRY }, Jonas);
      await sandbox.post(`conversations/${id}/resolve`, undefined, Jonas);
    }
  };
  return Array.from({ length: DAYS }, (_, day) => [day * DAY + 20 * 60 + 30, answer]);
}

/** The broadcasts: two ended, one running, one scheduled, and one draft. */
function letters(sandbox) {
  const send = (it) => async () => {
    const { id } = await sandbox.post('broadcasts', it);
    sandbox.broadcast = id;
    await sandbox.post(`broadcasts/${id}/send`, {});
  };
  const { tyres, closed, wheels } = example.BROADCASTS;
  return [
    [11 * DAY + 10 * 60, send(tyres)],
    [25 * DAY + 9 * 60, send(closed)],
    [END - 30, async () => waiting(sandbox, Date.parse((await sandbox.get('sandbox/clock')).now))],
    [END - 5, send({ ...wheels, rate_per_minute: 1 })],
  ];
}

/** Creates a scheduled broadcast and a draft. */
export async function waiting(at, now) {
  const { ride, sale } = example.BROADCASTS;
  const { id } = await at.post('broadcasts', { ...ride, scheduled_at: new Date(now + 2 * DAY * MINUTE).toISOString(), time_zone: 'contact' });
  await at.post(`broadcasts/${id}/send`, {});
  await at.post('broadcasts', sale);
}

/** The conversations between customers and agents. */
function talks(sandbox, people, start) {
  return example.TALKS.flatMap(({ customer, hours, to, ends, lines }) => {
    const begin = END - hours * 60;
    let id;
    const speak = async (who, text, type = 'text') => {
      if (who === 'customer') id = (await said(sandbox, customer, text)).conversation_id;
      else await sandbox.post(`conversations/${id}/messages`, { type, text }, people[who]);
      if (customer === 0) sandbox.conversation = id;
    };
    const settle = async () => {
      if (ends === 'resolve') await sandbox.post(`conversations/${id}/resolve`, undefined, people[to]);
      if (ends === 'snooze') await sandbox.post(`conversations/${id}/snooze`, { until: new Date(start + (END + 3 * DAY) * MINUTE).toISOString() }, people[to]);
    };
    return [
      ...lines.map(([after, ...line]) => [begin + after, () => speak(...line)]),
      [begin + lines[1][0] - 1, () => sandbox.post(`conversations/${id}/assign`, { assignee_id: people[to].id }, people[to])],
      [begin + lines.at(-1)[0] + 2, settle],
    ];
  });
}

/** The acts of the customer with the timeline in a picture. */
function story(sandbox, { Priya }) {
  const { customer: who, acts } = example.STORY;
  const path = `contacts/external_id:${example.CUSTOMERS[who].external_id}`;
  let conversation;
  const does = {
    says: async (text) => {
      conversation = (await said(sandbox, who, text)).conversation_id;
    },
    answers: (text) => sandbox.post(`conversations/${conversation}/messages`, { type: 'text', text }, Priya),
    event: (name, data) => sandbox.post(`${path}/events`, { name, data }),
    knows: (custom_fields) => sandbox.patch(path, { custom_fields }),
    wears: (tag) => sandbox.post(`${path}/tags`, { tag_id: sandbox.tags[tag] }),
    begins: (flow) => sandbox.post(`${path}/start-flow`, { flow_id: sandbox.flows[flow] }),
  };
  return acts.map(([hours, act, ...what]) => [END - hours * 60, () => does[act](...what)]);
}

/** Changes the draft of the workshop's flow. */
async function draft(sandbox) {
  const id = sandbox.flows['Workshop booking'];
  const { definition } = await sandbox.get(`flows/${id}`);
  definition.nodes.find((it) => it.id === 'fetched').message.text = 'This month we fetch your bike, and bring it back, for nothing.';
  definition.nodes.find((it) => it.id === 'rate').timeout = 'P2D';
  await sandbox.patch(`flows/${id}`, { definition });
}
