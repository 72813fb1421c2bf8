// The example, a fictional bike shop named Northwind Bikes: its customers, agents and data.
export * from './example-flows.mjs';
export * from './example-talks.mjs';

const COLOURS = { 'e-bike': '#12b886', commuter: '#228be6', family: '#e64980', racing: '#fa5252', newsletter: '#4c6ef5', workshop: '#7950f2', vip: '#f59f00', storage: '#868e96' };
const PURPOSES = {
  'e-bike': 'Rides one with a motor',
  commuter: 'Rides to work, whatever the weather',
  family: 'Cargo bikes, trailers and small wheels',
  racing: 'Comes for the light ones',
  newsletter: 'Wants to hear from us once a month',
  workshop: 'Has had something repaired here',
  vip: 'Has spent more than £3,000 in a year',
  storage: 'Leaves a bike with us over the winter',
};

export const TAGS = Object.entries(COLOURS).map(([name, color]) => ({ name, color, description: PURPOSES[name] }));
const MODELS = ['Fjord E-Tour', 'Harbour 7', 'Ridge 29', 'Kestrel Carbon', 'Puffin Cargo', 'Harbour E', 'Wren 20'];
const SIZES = ['S', 'M', 'L', 'XL'];
export const FIELDS = [
  { name: 'Bike', type: 'select', options: MODELS },
  { name: 'Frame size', type: 'select', options: SIZES },
  { name: 'Frame number', type: 'text', validation: { pattern: '^NW[0-9]{5}$' } },
  { name: 'Bought on', type: 'date' },
  { name: 'Next visit', type: 'text', validation: { max_length: 80 } },
  { name: 'Rating', type: 'number', validation: { min: 1, max: 5 } },
  { name: 'Loyalty points', type: 'number', validation: { min: 0 } },
  { name: 'Rides', type: 'multi_select', options: ['City', 'Gravel', 'Road', 'Trails', 'With children'] },
  { name: 'Insured', type: 'boolean' },
];
export const BOT_FIELDS = [
  { name: 'Opening hours', type: 'text', value: 'Tuesday to Saturday, nine to six' },
  { name: 'Days until a repair', type: 'number', value: 3 },
  { name: 'Voucher', type: 'text', value: 'BELL10' },
  { name: 'Rental open', type: 'boolean', value: true },
  { name: 'Season', type: 'text', value: 'winter' },
];

const NAMES = `Amara Osei, Callum Reid, Ines Carvalho, Hugo Lindgren, Priscilla Marsh, Yusuf Demir, Freya Holm, Daniel Whitlock, Mei Tanaka,
Oscar Fielding, Leila Haddad, Rowan Pike, Sofia Brandt, Tobias Krause, Nadia Rahman, Felix Ashworth, Carmen Ibarra, Owen Gallagher, Ruth Abebe,
Jasper Dekker, Alma Nyberg, Theo Castell, Keira Donnelly, Marcus Bell, Hana Sato, Lionel Achebe, Petra Novotna, Samir Khalil, Greta Olsen,
Ewan Macrae, Bianca Moretti, Isaac Thornbury, Noor Aziz, Delia Quinn, Viktor Salo, Emeka Obi, Clara Winfield, Arjun Pillai, Molly Harcourt,
Stefan Richter, Zara Malik, Benedict Shaw, Lucia Fontana, Harry Pemberton, Ngozi Eze, Anton Weiss, Iris Fairley, Diego Marin, Saskia Vermeer,
Patrick Lowe, Joanna Mills, Kofi Mensah, Ella Strand, Matteo Rinaldi, Grace Attwood, Ravi Menon, Linnea Berg, Toby Marlow, Aisha Noor,
Edith Kellaway, Gabriel Sousa, Wendy Farrow`.split(/,\s+/);
const HOMES = [
  { time_zone: 'Europe/London', locale: 'en-GB', phone: (at) => `+4420794600${10 + at}` },
  { time_zone: 'America/New_York', locale: 'en-US', phone: (at) => `+120255501${10 + at}` },
  { time_zone: 'Europe/London', locale: 'en-GB', phone: (at) => `+447700900${110 + at}` },
];
/** Cycles through a list, for variety between neighbours. */
const one = (list, at) => list[at % list.length];

/** The customers, in the order of creation. */
export const CUSTOMERS = NAMES.map((name, at) => {
  const [first_name, last_name] = name.split(' ');
  const { time_zone, locale, phone } = one(HOMES, at);
  const bike = one(MODELS, at * 5);
  const tags = [
    ...(/E/.test(bike) ? ['e-bike'] : []),
    ...one([['commuter', 'newsletter'], ['racing'], ['family'], ['commuter'], ['newsletter'], []], at * 7),
    ...(at % 9 === 4 ? ['vip'] : []),
    ...(at % 11 === 3 ? ['storage'] : []),
  ];
  return {
    external_id: `NW-${2041 + at * 7}`,
    first_name,
    last_name,
    email: `${first_name}.${last_name}@example.com`.toLowerCase(),
    ...(at % 8 === 5 ? {} : { phone: phone(at) }),
    time_zone,
    locale,
    tags: [...new Set(tags)],
    ...(at % 13 === 7 ? { subscribed: false } : {}),
    ...(at === 33 ? { status: 'blocked' } : {}),
    custom_fields: {
      bike,
      frame_size: one(SIZES, at * 3),
      frame_number: `NW${40_217 + at * 131}`,
      bought_on: `202${4 + (at % 3)}-0${1 + (at % 9)}-${10 + (at % 18)}`,
      loyalty_points: (at * 37) % 900,
      rides: [one(['City', 'Gravel', 'Road', 'Trails'], at), ...(at % 4 === 2 ? ['With children'] : [])],
      insured: at % 3 === 0,
      ...(at % 5 === 1 ? { rating: 3 + (at % 3) } : {}),
    },
  };
});

export const PEOPLE = [
  { name: 'Tom Okafor', email: 'tom.okafor@example.com', role: 'admin' },
  { name: 'Priya Raman', email: 'priya.raman@example.com', role: 'member' },
  { name: 'Jonas Weber', email: 'jonas.weber@example.com', role: 'member' },
  { name: 'Elin Dahl', email: 'elin.dahl@example.com', role: 'viewer' },
];
export const OWNER = { name: 'Maya Lindqvist', email: 'maya.lindqvist@example.com' };
export const INVITED = { email: 'sam.carter@example.com', role: 'member' };

export const KEYS = [
  { name: 'Online shop', scope: 'full' },
  { name: 'Till in the shop', scope: 'write' },
  { name: 'Dashboard', scope: 'read' },
  { name: 'Nightly export', scope: 'read', days: 5 },
];

export const SEGMENTS = [
  { name: 'E-bike riders', condition: { field: 'tags', op: 'has', value: 'e-bike' } },
  { name: 'Commuters who read our letter', condition: { all: [{ field: 'tags', op: 'has', value: 'commuter' }, { field: 'tags', op: 'has', value: 'newsletter' }, { field: 'subscribed', op: 'eq', value: true }] } },
  { name: 'Quiet for two weeks', condition: { not: { field: 'last_message_at', op: 'within_last', value: 'P14D' } } },
  { name: 'Happy after a repair', condition: { all: [{ field: 'tags', op: 'has', value: 'workshop' }, { field: 'custom_fields.rating', op: 'gte', value: 4 }] } },
  { name: 'Best customers', condition: { any: [{ field: 'tags', op: 'has', value: 'vip' }, { field: 'custom_fields.loyalty_points', op: 'gt', value: 600 }] } },
  { name: 'Cargo and children', condition: { any: [{ field: 'custom_fields.bike', op: 'eq', value: 'Puffin Cargo' }, { field: 'custom_fields.rides', op: 'has', value: 'With children' }] } },
];

export const SAVED_REPLIES = [
  { name: 'Hello', text: 'Hello {{ contact.first_name | default("there") }}, thanks for writing to Northwind Bikes. How can we help?' },
  { name: 'Opening hours', text: 'We are here {{ bot_fields.opening_hours }}.' },
  { name: 'How long a repair takes', text: 'At the moment a repair takes about {{ bot_fields.days_until_a_repair }} days. Shall I keep a place for you?' },
  { name: 'Ready to collect', text: 'Good news, {{ contact.first_name | default("there") }}: your {{ custom_fields.bike | default("bike") }} is ready. Come by whenever it suits you.' },
  { name: 'Returns', text: 'You can bring it back within 30 days, with the receipt and as good as new.' },
  { name: 'Lost key', text: 'Send us the number on the lock, please, and we order a new key. It takes about a week.' },
];

export const SECRETS = [
  { name: 'STOCK_TOKEN', hosts: ['stock.northwind.example'] },
  { name: 'PARCEL_API_KEY', hosts: ['api.parcels.example', 'eu.parcels.example'] },
  { name: 'REVIEWS_TOKEN', hosts: ['reviews.example'] },
];

/** A table as the shop's till exports it. Two of its rows are invalid. */
export const TABLE = `external_id,first_name,last_name,email,tags
NW-3001,Rosa,Ellery,rosa.ellery@example.com,newsletter
NW-3002,Finn,Okoye,finn.okoye@example.com,
NW-3003,Mila,Sander,mila.sander at example.com,racing
NW-3004,Jules,Abbot,jules.abbot@example.com,family
NW-3005,Tess,Moran,tess.moran@example,newsletter
NW-3006,Ivo,Lang,ivo.lang@example.com,commuter
`;
