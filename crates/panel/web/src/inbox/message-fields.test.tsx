import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { inLanguage } from '../i18n/testing';
import { message } from '../sandbox/testing';
import { serve, show } from '../settings/testing';
import { fieldsOf, titleOf } from './message-data';
import { InboxPage } from './page';
import { inboxAnswers, page } from './testing';

test('shows the fields of a contact card in the message, and the JSON below', async () => {
  const data = { contacts: [{ first_name: 'Bo', last_name: 'Lund', phone_number: '+4930', user_id: 7 }] };
  const card = message({ id: 'm1', direction: 'inbound', text: '[contact] Bo Lund +4930', data });
  const plain = message({ id: 'm2', direction: 'inbound', text: 'Call him' });
  serve(inboxAnswers({ 'GET /api/v1/conversations/conv_1/messages': () => page(card, plain) }));
  show(<InboxPage />, { path: '/inbox/conv_1', route: '/inbox/{-$conversation}' });
  const thread = within(await screen.findByRole('log', { name: 'Messages' }));
  const title = await thread.findByText('Contact card');
  const fields = title.closest('details') as HTMLDetailsElement;
  expect(fields.open).toBe(false);
  const names = within(fields).getAllByRole('term', { hidden: true });
  expect(names.map((it) => it.textContent)).toEqual(['Name', 'Phone']);
  const json = within(fields).getByText('Details').closest('details') as HTMLDetailsElement;
  expect(json.open).toBe(false);
  expect(JSON.parse(json.querySelector('pre')?.textContent ?? '')).toEqual(data);
  expect(thread.getAllByText('Details')).toHaveLength(1);
});

test('reads the cards of WhatsApp, with several numbers and cards', () => {
  const contacts = [
    {
      name: { formatted_name: 'Bo Lund', first_name: 'Bo' },
      phones: [{ phone: '+4930' }, { phone: '+4940', type: 'WORK' }],
      emails: [{ email: 'bo@example.com' }],
      org: { company: 'Acme' },
      urls: [{ url: 'https://acme.example' }],
    },
    { name: { formatted_name: 'Ada' } },
  ];
  expect(titleOf({ contacts })).toBe('2 contact cards');
  expect(fieldsOf({ contacts })).toEqual([
    [
      ['Name', 'Bo Lund'],
      ['Phone', '+4930\n+4940'],
      ['Email', 'bo@example.com'],
      ['Company', 'Acme'],
      ['Website', 'https://acme.example'],
    ],
    [['Name', 'Ada']],
  ]);
});

test('reads polls, orders and forms', async () => {
  const poll = { question: 'Tea?', options: [{ text: 'Black' }, { text: 'Green' }] };
  expect(fieldsOf({ poll })).toEqual([
    [
      ['Question', 'Tea?'],
      ['Options', 'Black\nGreen'],
    ],
  ]);
  const order = {
    catalog_id: '7',
    text: 'Soon',
    product_items: [
      { product_retailer_id: 'cup', quantity: 2, item_price: 12.5, currency: 'EUR' },
      { product_retailer_id: 'pot', quantity: '1', item_price: '30', currency: 'points' },
      { product_retailer_id: 'spoon' },
    ],
  };
  const products = '2 × cup, €12.50 each\n1 × pot, 30 each\n1 × spoon';
  expect(fieldsOf({ order })).toEqual([
    [
      ['Products', products],
      ['Remark', 'Soon'],
    ],
  ]);
  const form = {
    flow_token: 'x',
    your_day: 'Monday',
    seats: 4,
    tags: ['a', 'b'],
    news: false,
    deep: { a: 1 },
  };
  expect(fieldsOf({ form })).toEqual([
    [
      ['your day', 'Monday'],
      ['seats', '4'],
      ['tags', 'a\nb'],
      ['news', 'no'],
    ],
  ]);
  await inLanguage('de', () => {
    expect([titleOf({ order }), titleOf({ form })]).toEqual(['Bestellung', 'Formular']);
    expect(fieldsOf({ order })[0]?.[0]?.[1]).toMatch(/^2 × cup, je 12,50\s€\n/);
  });
});

test('shows no rows for unknown data', () => {
  for (const data of [{ coupon: 1 }, { contacts: ['x', {}] }, { order: 7 }, { form: [] }, { poll: null }]) {
    expect(fieldsOf(data), JSON.stringify(data)).toEqual([]);
  }
  expect(titleOf({ coupon: 1 })).toBe('Fields of the message');
});
