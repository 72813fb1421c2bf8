import { number } from '../i18n/format';
import { texts } from '../i18n/texts';
import type { Message } from '../sandbox/messages';

const t = texts('inbox');

type Data = NonNullable<Message['data']>;
/** Names and values. */
export type Rows = [string, string][];

/** The internal ID of a form. Its other members are the answers. */
const TOKEN = 'flow_token';

/** The type of content that the data describes: contact cards, a poll, an order or a form. */
export function titleOf(data: Data): string {
  if (Array.isArray(data.contacts)) return t('data.contacts', { count: data.contacts.length });
  const type = ['poll', 'order', 'form'].find((it) => it in data);
  return t.find('data.types', type) ?? t('data.other');
}

/** The known fields of the data, as the provider names them: rows for each contact card, or for the whole. */
export function fieldsOf(data: Data): Rows[] {
  const { contacts, poll, order, form } = data;
  const found = Array.isArray(contacts)
    ? contacts.map(cardRows)
    : [pollRows(poll), orderRows(order), formRows(form)];
  return found.map((rows) => rows.filter(([, value]) => value !== '')).filter((rows) => rows.length > 0);
}

function cardRows(card: unknown): Rows {
  const name = textAt(card, 'name', 'formatted_name') || words(card, 'first_name', 'last_name');
  const phones = [textAt(card, 'phone_number'), ...textsOf(at(card, 'phones'), 'phone')];
  return [
    [t('name'), name],
    [t('phone'), lines(phones)],
    [t('email'), lines(textsOf(at(card, 'emails'), 'email'))],
    [t('data.company'), textAt(card, 'org', 'company')],
    [t('data.website'), lines(textsOf(at(card, 'urls'), 'url'))],
  ];
}

function pollRows(poll: unknown): Rows {
  return [
    [t('data.question'), textAt(poll, 'question')],
    [t('data.options'), lines(textsOf(at(poll, 'options'), 'text'))],
  ];
}

function orderRows(order: unknown): Rows {
  return [
    [t('data.products'), lines(itemsOf(at(order, 'product_items')).map(productLine))],
    [t('data.remark'), textAt(order, 'text')],
  ];
}

function productLine(item: unknown): string {
  const product = textAt(item, 'product_retailer_id');
  if (!product) return '';
  const quantity = numberAt(item, 'quantity') ?? 1;
  const price = priceOf(numberAt(item, 'item_price'), textAt(item, 'currency'));
  return price ? t('data.priced', { quantity, product, price }) : t('data.item', { quantity, product });
}

function priceOf(price: number | undefined, currency: string): string {
  if (price === undefined) return '';
  return /^[A-Z]{3}$/.test(currency) ? number(price, { style: 'currency', currency }) : number(price);
}

function formRows(form: unknown): Rows {
  const answers = Object.entries(isObject(form) ? form : {}).filter(([name]) => name !== TOKEN);
  return answers.map(([name, value]) => [name.replaceAll('_', ' '), answerText(value)]);
}

/** An answer of a form. Nested objects are only in the JSON. */
function answerText(value: unknown): string {
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
  return Array.isArray(value) ? lines(value.map(plain)) : plain(value);
}

const isObject = (it: unknown): it is Record<string, unknown> =>
  typeof it === 'object' && it !== null && !Array.isArray(it);
const itemsOf = (it: unknown): unknown[] => (Array.isArray(it) ? it : []);
const lines = (all: string[]): string => all.filter((it) => it !== '').join('\n');

/** A text or a number as it is. */
function plain(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function at(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>((it, name) => (isObject(it) ? it[name] : undefined), value);
}

const textAt = (value: unknown, ...path: string[]): string => plain(at(value, ...path));
const textsOf = (items: unknown, name: string): string[] => itemsOf(items).map((it) => textAt(it, name));
const words = (value: unknown, ...names: string[]): string =>
  names
    .map((name) => textAt(value, name))
    .filter((it) => it !== '')
    .join(' ');

/** A number. Providers also write numbers as texts. */
function numberAt(value: unknown, name: string): number | undefined {
  const text = textAt(value, name).trim();
  const found = Number(text);
  return text !== '' && Number.isFinite(found) ? found : undefined;
}
