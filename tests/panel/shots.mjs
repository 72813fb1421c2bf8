// What is in the pictures: of each page in which of the two workspaces it is shown, its address, and what is opened on it.
import * as example from './example.mjs';

const button = (page, name) => page.getByRole('button', { name, exact: true });
const cell = (page, name) => page.getByRole('cell', { name, exact: true });
const row = (page, name) => page.getByRole('row', { name }).first();
const seen = (page, text) => page.getByText(text).first().waitFor();

/** The whole flow, where the canvas shows its beginning alone. */
const whole = (page) => button(page, 'Fit the window').click();

/** The pictures of pages behind the sign-in, by their names. */
export function shotsOf({ live, sandbox }) {
  const workshop = `/flows/${sandbox.flows['Workshop booking']}`;
  const ride = `/flows/${sandbox.flows['Test ride']}`;
  const hook = `/webhooks/${live.hook}`;
  const { first_name, last_name, external_id } = example.CUSTOMERS[example.STORY.customer];
  return {
    home: [live, '/'],
    search: [live, '/', async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Find a page, a name or an ID' }).fill('se');
    }],

    contacts: [sandbox, '/contacts?sort=name'],
    contact: [sandbox, `/contacts?q=${last_name}`, async (page) => {
      await page.getByRole('link', { name: `${first_name} ${last_name}` }).click();
      await page.getByRole('tab', { name: 'Timeline' }).waitFor();
    }],
    import: [live, `/contacts/import?id=${live.import}`],
    segments: [sandbox, '/segments', async (page) => {
      await cell(page, 'Happy after a repair').click();
      await seen(page, /in it now/);
    }],
    inbox: [sandbox, `/inbox/${sandbox.conversation}?view=open`],

    flows: [sandbox, '/flows'],
    flow: [sandbox, `${workshop}?node=work`],
    'flow-simulation': [sandbox, `${ride}?tab=simulate`, async (page) => {
      await page.getByRole('button', { name: /^with a motor/ }).click();
      await page.getByRole('log').getByText('How was the ride, Robin?').waitFor();
      await whole(page);
    }],
    'flow-run': [sandbox, `${workshop}?tab=runs&run=${sandbox.run}`, (page) => page.getByRole('heading', { name: 'Step by step' }).waitFor()],
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
      await form.getByRole('textbox', { name: 'Address', exact: true }).fill('https://shop.northwind.example/hooks');
      for (const kind of ['message.received', 'message.failed']) await form.getByRole('checkbox', { name: new RegExp(`^${kind}`) }).check();
      await form.getByRole('textbox', { name: 'Description' }).fill('Tells the shop who has written');
    }],
    'webhook-delivery': [live, `${hook}?delivery=${live.delivery}`, (page) => seen(page, 'Each attempt has a new signature')],
    'webhook-verify': [live, `${hook}?tab=verify`],
    events: [sandbox, '/events'],

    'api-docs': [live, '/developers/docs', async (page) => {
      await page.getByRole('heading', { name: 'Tidings', level: 1 }).waitFor();
      const reference = page.getByRole('region', { name: 'API reference' });
      await reference.getByRole('link', { name: /Creates a contact, with tags/ }).first().click();
      await reference.getByRole('button', { name: /Test Request.*post/is }).first().waitFor();
    }],
    'usage-log': [live, '/developers/log?last=PT15M'],
    request: [live, '/developers/log?last=PT15M&error_code=validation_failed', async (page) => {
      await row(page, /POST/).click();
      await page.getByRole('complementary', { name: 'Request' }).waitFor();
    }],
    sandbox: [sandbox, '/developers/sandbox', async (page) => {
      await page.getByRole('textbox', { name: 'Contact', exact: true }).fill(external_id);
      await page.getByRole('link', { name: 'Open the conversation' }).waitFor();
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
      await page.getByRole('textbox', { name: 'Preview for' }).fill(`external_id:${external_id}`);
      await seen(page, `Good news, ${first_name}`);
    }],
    workspace: [live, '/settings/workspace'],
    storage: [live, '/settings/storage'],
    'audit-log': [live, '/settings/audit-log'],
    profile: [live, '/settings/profile'],
    object: [sandbox, `/objects/${sandbox.contact}`],
  };
}

/** The pictures of what stands before the sign-in. */
export const doorsOf = ({ joining, resetting }) => ({
  'sign-in': ['/login', 'Sign in'],
  join: [`/join/${joining}`, /^Join/],
  reset: [`/reset/${resetting}`, /password/i],
});
