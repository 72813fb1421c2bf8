import type { ProviderTemplate } from './api';

/** A template with a header, a text with two placeholders, and a button. */
export const ORDER: ProviderTemplate = {
  name: 'order_ready',
  language: 'en_US',
  category: 'UTILITY',
  status: 'APPROVED',
  components: [
    { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}', buttons: [] },
    { type: 'BODY', format: null, text: 'Hello {{1}}, your order is ready.', buttons: [] },
    { type: 'BUTTONS', format: null, text: null, buttons: [{ type: 'URL', text: 'Open', url: null }] },
  ],
  parameters: [
    { name: 'header.1', type: 'text' },
    { name: '1', type: 'text' },
  ],
};

/** A template that cannot be sent. */
export const SALE: ProviderTemplate = {
  name: 'sale',
  language: 'de',
  category: 'MARKETING',
  status: 'REJECTED',
  components: [{ type: 'BODY', format: null, text: 'Sale!', buttons: [] }],
  parameters: [],
};

/** The answer of the server with these templates. */
export const templates = (...data: ProviderTemplate[]) => ({ data, fetched_at: '2026-01-01T00:00:00.000Z' });
