// The flows, sequences and broadcasts of the example.

const say = (text, more) => ({ type: 'send_message', message: { type: 'text', text, ...more } });
const ask = (text, more) => ({ type: 'ask', message: { type: 'text', text }, ...more });
const is = (field, value, op = 'eq') => ({ field, op, value });
const end = { id: 'end', type: 'end' };

/** A workshop booking: a question, a branch, two offers in turn, and a rating two days later. */
const WORKSHOP = {
  triggers: [{ type: 'keyword', match: 'contains', keywords: ['repair', 'service', 'puncture', 'brakes'] }],
  start: 'work',
  nodes: [
    { id: 'work', ...ask('Hi {{ contact.first_name | default("there") }}! What can the workshop do for you?', { expect: 'select', options: ['Brakes', 'Puncture', 'Full service'], save_to: 'vars.work', attempts: 2, timeout: 'PT4H', next: 'which', on_timeout: 'later', on_invalid: 'people' }) },
    { id: 'which', type: 'branch', branches: [{ when: is('vars.work', 'Full service'), next: 'offer' }], otherwise: 'visit' },
    { id: 'offer', type: 'split', arms: [{ weight: 1, next: 'cheaper' }, { weight: 1, next: 'fetched' }] },
    { id: 'cheaper', ...say('In winter a full service is 20% off.'), next: 'visit' },
    { id: 'fetched', ...say('This month we fetch your bike for nothing.'), next: 'visit' },
    { id: 'visit', type: 'set_field', field: 'custom_fields.next_visit', value: '{{ vars.work }}', next: 'booked' },
    { id: 'booked', ...say('{{ vars.work }}: your place is kept. Bring the bike tomorrow from nine.'), next: 'days' },
    { id: 'days', type: 'delay', for: 'P2D', window: { days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat'], from: '10:00', to: '18:00', time_zone: 'contact' }, next: 'rate' },
    { id: 'rate', ...ask('How did we do, from 1 to 5?', { expect: 'number', save_to: 'custom_fields.rating', timeout: 'P1D', next: 'good', on_timeout: 'end' }) },
    { id: 'good', type: 'branch', branches: [{ when: is('custom_fields.rating', 4, 'gte'), next: 'thanks' }], otherwise: 'people' },
    { id: 'thanks', type: 'add_tag', tag: 'workshop', next: 'end' },
    { id: 'people', type: 'assign_conversation', next: 'end' },
    { id: 'later', ...say('No hurry: write “repair” whenever it suits you.'), next: 'end' },
    end,
  ],
};

/** A test ride booking. It is small enough to be shown in full. */
const TEST_RIDE = {
  triggers: [{ type: 'keyword', match: 'contains', keywords: ['test ride', 'try'] }],
  start: 'motor',
  nodes: [
    { id: 'motor', ...ask('A test ride, gladly! With a motor or without?', { expect: 'select', options: ['With', 'Without'], save_to: 'vars.motor', timeout: 'PT2H', next: 'which', on_timeout: 'end', on_invalid: 'end' }) },
    { id: 'which', type: 'branch', branches: [{ when: is('vars.motor', 'With'), next: 'charged' }], otherwise: 'ready' },
    { id: 'charged', ...say('The Fjord E-Tour is charged and waits for you.'), next: 'night' },
    { id: 'ready', ...say('The Harbour 7 is pumped up and waits for you.'), next: 'night' },
    { id: 'night', type: 'delay', for: 'P1D', next: 'how' },
    { id: 'how', ...say('How was the ride, {{ contact.first_name | default("by the way") }}?'), next: 'end' },
    end,
  ],
  scripts: [
    { name: 'with a motor', contact: { first_name: 'Robin' }, script: [{ message: 'Can I try a bike?' }, { message: 'With' }, { advance: 'P1D' }], expect: { nodes: ['motor', 'charged', 'how'], texts: ['How was the ride, Robin?'] } },
    { name: 'without', contact: { first_name: 'Robin' }, script: [{ message: 'Can I try a bike?' }, { message: 'Without' }, { advance: 'P1D' }], expect: { nodes: ['motor', 'ready', 'how'] } },
    { name: 'no answer', script: [{ message: 'Can I try a bike?' }, { advance: 'PT3H' }], expect: { nodes: ['motor', 'end'] } },
  ],
};

const WELCOME = {
  triggers: [{ type: 'event', event: 'contact.created' }],
  start: 'hello',
  nodes: [
    { id: 'hello', ...say('Welcome to Northwind Bikes, {{ contact.first_name | default("friend") }}!'), next: 'week' },
    { id: 'week', type: 'delay', for: 'P7D', window: { from: '10:00', to: '18:00', time_zone: 'contact' }, next: 'saddle' },
    { id: 'saddle', ...say('A week on your {{ custom_fields.bike | default("new bike") }}: does the saddle fit?'), next: 'end' },
    end,
  ],
};
const LETTER = {
  triggers: [{ type: 'keyword', match: 'exact', keywords: ['news', 'newsletter'] }],
  start: 'sure',
  nodes: [
    { id: 'sure', ...ask('Shall we write to you once a month?', { expect: 'boolean', save_to: 'vars.sure', timeout: 'PT1H', next: 'which', on_timeout: 'end', on_invalid: 'end' }) },
    { id: 'which', type: 'branch', branches: [{ when: is('vars.sure', true), next: 'tag' }], otherwise: 'end' },
    { id: 'tag', type: 'add_tag', tag: 'newsletter', next: 'yes' },
    { id: 'yes', ...say('You are on the list. Answer STOP to leave it.'), next: 'end' },
    end,
  ],
};
const HOURS = {
  triggers: [{ type: 'keyword', match: 'contains', keywords: ['open', 'hours'] }],
  start: 'hours',
  nodes: [{ id: 'hours', ...say('We are here {{ bot_fields.opening_hours }}.'), next: 'end' }, end],
};
const STOCK = {
  triggers: [{ type: 'keyword', match: 'contains', keywords: ['in stock'] }],
  start: 'call',
  nodes: [
    { id: 'call', type: 'http_request', method: 'GET', url: 'https://stock.northwind.example/bikes?q={{ custom_fields.bike | urlencode }}', headers: { Authorization: 'Bearer {{ secrets.STOCK_TOKEN }}' }, save: { count: 'body.count' }, next: 'tell' },
    { id: 'tell', ...say('We have {{ vars.count }} of them here.'), next: 'end' },
    end,
  ],
};
const CHECK = {
  triggers: [{ type: 'schedule', cron: '0 10 1 MAR,OCT *', audience: is('tags', 'commuter', 'has') }],
  start: 'light',
  nodes: [{ id: 'light', ...say('The clocks change soon. Do your lights work, {{ contact.first_name | default("too") }}?'), next: 'end' }, end],
};

/** The flows. `first` was published before, `draft` is not published yet. */
export const FLOWS = [
  { name: 'Opening hours', definition: HOURS },
  { name: 'Is it in stock?', definition: STOCK },
  { name: 'Lights in spring and autumn', definition: CHECK, pause: true },
  { name: 'Returns', definition: { start: 'end', nodes: [end] }, isDraft: true },
  { name: 'Newsletter sign-up', definition: LETTER },
  { name: 'Welcome', definition: WELCOME },
  { name: 'Test ride', definition: TEST_RIDE },
  { name: 'Workshop booking', definition: WORKSHOP },
];

/** The first version of the workshop's flow: without offers, and with only one attempt for a question. */
export const FIRST_WORKSHOP = {
  ...WORKSHOP,
  nodes: WORKSHOP.nodes.flatMap((node) => {
    if (['which', 'offer', 'cheaper', 'fetched'].includes(node.id)) return [];
    if (node.id === 'work') return { ...node, attempts: 1, timeout: 'PT1H', next: 'visit' };
    return node;
  }),
};

const morning = { days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '12:00' };
export const SEQUENCES = [
  {
    name: 'First month with a new bike',
    status: 'active',
    exit_on: ['unsubscribe'],
    steps: [
      { id: 'saddle', delay: 'P1D', window: morning, action: say('Good morning! Take five minutes to set the height of your saddle: it saves your knees.') },
      { id: 'tyres', delay: 'P3D', window: { from: '16:00', to: '19:00' }, action: say('Tyres lose air by themselves. Pump them up once a week.') },
      { id: 'bolts', delay: 'P7D', window: { days: ['sat', 'sun'], from: '10:00', to: '18:00' }, action: say('Bolts can loosen in the first hundred miles. Come to the shop, and we tighten them for free.') },
      { id: 'lock', delay: 'P5D', action: say('A good lock costs a tenth of the bike. Ask us which one your insurer wants.') },
      { id: 'service', delay: 'P12D', window: morning, action: say('A month already! Your first service is on us: write “service”.') },
    ],
  },
  { name: 'Winter storage', status: 'active', steps: [{ id: 'ready', delay: 'P60D', window: morning, action: say('Your bike has slept well. Shall we get it ready for spring?') }] },
  { name: 'Come back to us', steps: [{ id: 'miss', delay: 'P30D', action: say('We have not seen you for a while. Here is a voucher: BELL10.') }] },
];

const subscribed = is('subscribed', true);
const letter = (text) => ({ type: 'text', text });
export const BROADCASTS = {
  tyres: { name: 'Winter tyres are in', audience: subscribed, message: letter('{{ contact.first_name | default("Hello") }}, winter tyres are in, and we fit them while you wait.'), rate_per_minute: 600 },
  closed: { name: 'Closed for stocktaking', audience: subscribed, message: letter('We count every bolt on Monday: the shop is closed, the workshop is open.'), rate_per_minute: 600 },
  wheels: { name: 'New wheels for racers', audience: is('tags', 'racing', 'has'), message: letter('New wheels are in, {{ contact.first_name | default("dear rider") }}: try them before the season begins.') },
  ride: { name: 'Sunday ride', audience: is('tags', 'newsletter', 'has'), message: letter('We ride on Sunday at ten. Thirty miles, tea on the way.') },
  sale: { name: 'Spring sale', audience: is('tags', 'vip', 'has'), message: letter('{{ contact.first_name | default("Hello") }}, our best customers choose first: the sale opens for you on Friday.') },
};
