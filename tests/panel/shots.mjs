// The pictures: for each page its workspace, its address, and a function that opens something on it.
import * as example from './example.mjs';
import { patternOf } from './words.mjs';

const button = (page, name) => page.getByRole('button', { name, exact: true });
const cell = (page, name) => page.getByRole('cell', { name, exact: true });
const row = (page, name) => page.getByRole('row', { name }).first();
const seen = (page, text) => page.getByText(text).first().waitFor();

/** The pictures of pages for signed-in users by name, with the texts of a language. */
export function shotsOf({ live, sandbox }, t) {
  /** Shows the whole flow if the canvas only shows its beginning. */
  const whole = (page) => button(page, t('flow-editor.fit')).click();
  const workshop = `/flows/${sandbox.flows['Workshop booking']}`;
  const ride = `/flows/${sandbox.flows['Test ride']}`;
  const hook = `/webhooks/${live.hook}`;
  const { first_name, last_name, external_id } = example.CUSTOMERS[example.STORY.customer];
  return {
    home: [live, '/'],
    search: [live, '/', async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: t('search.title') }).fill('se');
    }],

    contacts: [sandbox, '/contacts?sort=name'],
    contact: [sandbox, `/contacts?q=${last_name}`, async (page) => {
      await page.getByRole('link', { name: `${first_name} ${last_name}` }).click();
      await page.getByRole('tab', { name: t('contact.tabs.timeline') }).waitFor();
    }],
    import: [live, `/contacts/import?id=${live.import}`],
    segments: [sandbox, '/segments', async (page) => {
      await cell(page, 'Happy after a repair').click();
      await seen(page, patternOf(t('segments.matches_other')));
    }],
    inbox: [sandbox, `/inbox/${sandbox.conversation}?view=open`],

    flows: [sandbox, '/flows'],
    flow: [sandbox, `${workshop}?node=work`],
    'flow-simulation': [sandbox, `${ride}?tab=simulate`, async (page) => {
      await page.getByRole('button', { name: /^with a motor/ }).click();
      await page.getByRole('log').getByText('How was the ride, Robin?').waitFor();
      await whole(page);
    }],
    'flow-run': [sandbox, `${workshop}?tab=runs&run=${sandbox.run}`, (page) => page.getByRole('heading', { name: t('flow-runs.stepByStep') }).waitFor()],
    'flow-statistics': [sandbox, `${workshop}?tab=statistics`],
    'flow-versions': [sandbox, `${workshop}?tab=versions&version=2&against=1`],
    sequences: [sandbox, '/sequences'],
    sequence: [sandbox, `/sequences/${sandbox.sequences['First month with a new bike']}`],
    'sequence-enrollments': [sandbox, `/sequences/${sandbox.sequences['First month with a new bike']}?tab=enrollments`],
    broadcasts: [sandbox, '/broadcasts'],
    broadcast: [sandbox, `/broadcasts/${sandbox.broadcast}`],

    channels: [live, '/channels', async (page) => {
      await page.getByRole('cell', { name: /^Chat on the website/ }).click();
      await page.getByRole('dialog').waitFor();
    }],
    webhooks: [live, '/webhooks'],
    'webhook-create': [live, '/webhooks?create=true', async (page) => {
      const form = page.getByRole('dialog');
      await form.getByRole('textbox', { name: t('webhooks.url'), exact: true }).fill('https://shop.northwind.example/hooks');
      for (const kind of ['message.received', 'message.failed']) await form.getByRole('checkbox', { name: new RegExp(`^${kind}`) }).check();
      await form.getByRole('textbox', { name: t('webhooks.about') }).fill('Reports incoming messages to the shop');
    }],
    'webhook-delivery': [live, `${hook}?delivery=${live.delivery}`, (page) => seen(page, t('webhooks.requestHint'))],
    'webhook-verify': [live, `${hook}?tab=verify`],
    events: [sandbox, '/events'],

    'api-docs': [live, '/developers/docs', async (page) => {
      await page.getByRole('heading', { name: 'Tidings', level: 1 }).waitFor();
      const reference = page.getByRole('region', { name: t('docs.reference') });
      await reference.getByRole('link', { name: 'Contacts' }).first().click();
      await reference.getByRole('link', { name: /Create a contact/ }).first().click();
      await reference.getByRole('button', { name: /(Test Request|Request testen).*post/is }).first().waitFor();
    }],
    'usage-log': [live, '/developers/log?last=PT15M'],
    request: [live, '/developers/log?last=PT15M&error_code=validation_failed', async (page) => {
      await row(page, /POST/).click();
      await page.getByRole('complementary', { name: t('usage.request') }).waitFor();
    }],
    sandbox: [sandbox, '/developers/sandbox', async (page) => {
      await page.getByRole('textbox', { name: t('sandbox.contact'), exact: true }).fill(external_id);
      await page.getByRole('link', { name: t('sandbox.openConversation') }).waitFor();
    }],
    'dead-letters': [live, '/developers/jobs'],
    analytics: [sandbox, '/analytics'],

    'api-keys': [live, '/settings/api-keys'],
    tags: [sandbox, '/settings/tags'],
    'custom-fields': [sandbox, '/settings/fields'],
    'bot-fields': [live, '/settings/bot-fields'],
    members: [live, '/settings/members'],
    secrets: [live, '/settings/secrets'],
    'saved-replies': [live, '/settings/saved-replies', async (page) => {
      await cell(page, 'Ready to collect').click();
      await page.getByRole('textbox', { name: t('replies.previewFor') }).fill(`external_id:${external_id}`);
      await seen(page, `Good news, ${first_name}`);
    }],
    workspace: [live, '/settings/workspace'],
    storage: [live, '/settings/storage'],
    'audit-log': [live, '/settings/audit-log'],
    profile: [live, '/settings/profile'],
    object: [sandbox, `/objects/${sandbox.contact}`],
  };
}

/** The pictures of pages for visitors who are not signed in. */
export const doorsOf = ({ joining, resetting }, t) => ({
  'sign-in': ['/login', t('login.signIn')],
  join: [`/join/${joining}`, patternOf(t('login.joinTitle'))],
  reset: [`/reset/${resetting}`, t('login.resetTitle')],
});
