import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { inLanguage } from '../i18n/testing';
import { problem, serve, show } from '../settings/testing';
import { type Chosen, chosen, filledText, withParameter } from './api';
import { FallbackFields } from './fallback';
import { TemplateSection } from './list';
import { ORDER, SALE, templates } from './testing';

const PATH = 'GET /api/v1/channels/chan_1/templates';

test('lists the templates of a channel with their status and a preview', async () => {
  serve({ [PATH]: () => templates(ORDER, SALE) });
  show(<TemplateSection channel={{ id: 'chan_1' }} />);
  await userEvent.click(await screen.findByText('order_ready'));
  const preview = within(screen.getByRole('figure', { name: 'Preview of order_ready' }));
  expect(preview.getByText('Hello {{1}}, your order is ready.')).toBeTruthy();
  expect(preview.getByText('Open')).toBeTruthy();
  expect(screen.getByText('Parameters: header.1, 1')).toBeTruthy();
  expect([screen.getByText('approved'), screen.getByText('rejected')].length).toBe(2);
  expect(screen.getByText('de · marketing')).toBeTruthy();
});

test('shows many templates in parts, and finds them by name', async () => {
  const many = Array.from({ length: 12 }, (_, at) => ({ ...SALE, name: `sale_${at}` }));
  serve({ [PATH]: () => templates(...many) });
  show(<TemplateSection channel={{ id: 'chan_1' }} />);
  await screen.findByText('sale_9');
  expect(screen.queryByText('sale_11')).toBeNull();
  const find = screen.getByRole('textbox', { name: 'Find a template by its name' });
  await userEvent.type(find, 'SALE_11');
  expect(screen.getByText('sale_11')).toBeTruthy();
  await userEvent.type(find, '1');
  expect(screen.getByText('No template has this name.')).toBeTruthy();
  await userEvent.clear(find);
  await userEvent.click(screen.getByRole('button', { name: 'Show all 12 templates' }));
  expect(screen.getByText('sale_11')).toBeTruthy();
});

test('reports an account without templates', async () => {
  serve({ [PATH]: () => templates() });
  await inLanguage('de', async () => {
    show(<TemplateSection channel={{ id: 'chan_1' }} />);
    expect(await screen.findByText('Das Konto bei WhatsApp hat noch keine Vorlagen.')).toBeTruthy();
  });
});

test('a failed list can be read again', async () => {
  const answer = vi.fn();
  answer.mockReturnValueOnce(problem(409, 'setup_failed', 'WhatsApp rejects the token.'));
  answer.mockReturnValue(templates(ORDER));
  serve({ [PATH]: answer });
  show(<TemplateSection channel={{ id: 'chan_1' }} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('order_ready')).toBeTruthy();
});

function Form({ first, note }: { first: Chosen; note: (template: Chosen) => void }) {
  const [value, setValue] = useState(first);
  const change = (next: Chosen) => {
    note(next);
    setValue(next);
  };
  return <FallbackFields channel="chan_1" value={value} onChange={change} onRemove={() => undefined} />;
}

test('selects an approved template, and fills the preview with its parameters', async () => {
  serve({ [PATH]: () => templates(ORDER, SALE) });
  const note = vi.fn();
  show(<Form first={{ name: '' }} note={note} />);
  await userEvent.click(await screen.findByRole('combobox', { name: 'Template' }));
  expect(screen.queryByRole('option', { name: 'sale · de' })).toBeNull();
  await userEvent.click(await screen.findByRole('option', { name: 'order_ready · en_US' }));
  expect(note).toHaveBeenLastCalledWith({ name: 'order_ready', language: 'en_US' });
  await userEvent.type(screen.getByRole('textbox', { name: 'Parameter 1' }), 'Ada');
  expect(note).toHaveBeenLastCalledWith({
    name: 'order_ready',
    language: 'en_US',
    parameters: { '1': 'Ada' },
  });
  expect(screen.getByText('Hello Ada, your order is ready.')).toBeTruthy();
  expect(screen.getByText('Order {{1}}')).toBeTruthy();
});

test('keeps a template selected that is no longer approved, with a note', async () => {
  serve({ [PATH]: () => templates(SALE) });
  show(<Form first={{ name: 'sale', language: 'de' }} note={() => undefined} />);
  const select = await screen.findByRole('combobox', { name: 'Template' });
  expect((select as HTMLInputElement).value).toBe('sale · de');
  expect(screen.getByText('WhatsApp does not list this template as approved.')).toBeTruthy();
});

test('keeps common parameters if another template is selected', () => {
  const before = { name: 'old', parameters: { '1': 'Ada', '2': 'Berlin' } };
  expect(chosen(ORDER, before)).toEqual({
    name: 'order_ready',
    language: 'en_US',
    parameters: { '1': 'Ada' },
  });
  expect(withParameter({ name: 'a', parameters: { '1': 'Ada' } }, '1', '')).toEqual({ name: 'a' });
});

test('placeholders of the header have separate values', () => {
  const values = { '1': 'Ada', 'header.1': '7' };
  expect(filledText({ type: 'HEADER', text: 'Order {{1}}' }, values)).toBe('Order 7');
  expect(filledText({ type: 'BODY', text: 'Hi {{ 1 }}, {{2}}' }, values)).toBe('Hi Ada, {{2}}');
  expect(filledText({ type: 'BUTTONS', text: null })).toBe('');
});
