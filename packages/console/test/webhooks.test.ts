import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import type { ApiClientPage, IssuedWebhookSecret, WebhookEndpoint } from '@servery/contract';
import type { Page } from 'playwright-core';
import { finish, press, signedIn, useConsole, way, wren } from './console.ts';

const at = useConsole();

interface Received {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const received: Received[] = [];
let receiver: Server;

before(async () => {
  receiver = createServer(async (request, response) => {
    const path = request.url ?? '';
    const headers = request.headers as Record<string, string>;
    received.push({ path, headers, body: await text(request) });
    response.writeHead(path.startsWith('/down') ? 500 : 200).end('noted');
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
});
after(() => receiver.close());

function urlOf(path: string): string {
  return `http://127.0.0.1:${(receiver.address() as AddressInfo).port}${path}`;
}

function receivedAt(path: string): readonly Received[] {
  return received.filter((each) => each.path === path);
}

test(`an endpoint is made, gets a test event, and its signature is verified, ${way.name}`, async () => {
  const watched = await signedIn(at(), 'PARTNER_DEVELOPER', way.view);
  const { page, visit } = watched;
  const path = '/hooks/verified';
  await visit('webhooks');
  await press(page, 'button', 'New endpoint');
  await press(page, 'button', 'Create');
  await page.getByText('An address that begins with').waitFor();
  await page.getByLabel('Address', { exact: true }).fill(urlOf(path));
  await page.getByLabel('API account of the partner').selectOption({ index: 1 });
  await press(page, 'button', 'Create');
  const secret = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
  assert.match(secret, /^whsec_/);
  await press(page, 'button', 'I have copied it');
  await page.getByRole('heading', { name: urlOf(path).slice('http://'.length) }).waitFor();
  assert.equal(await page.getByText(secret).count(), 0, 'the secret is shown once');
  await press(page, 'button', 'Send a test event');
  await press(page, 'button', /^Send$/);
  await press(page, 'link', /A restaurant was connected/);
  await page.getByText('Accepted 200').waitFor();
  const [sent] = receivedAt(path);
  assert.ok(sent);
  await visit('webhooks?tab=verify');
  await verifyHere(page, sent, secret);
  await press(page, 'button', 'Check');
  await page.getByRole('heading', { name: 'The signature is right' }).waitFor();
  const kept = await page.evaluate('JSON.stringify([{...localStorage}, {...sessionStorage}])');
  assert.ok(!`${page.url()}${kept}`.includes(secret), 'the secret is in no address or storage');
  await page.getByLabel('Body').fill(JSON.stringify(JSON.parse(sent.body), null, 2));
  await press(page, 'button', 'Check');
  await page.getByRole('heading', { name: 'The body was changed' }).waitFor();
  await finish(watched);
});

async function verifyHere(page: Page, { headers, body }: Received, secret: string) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  await page.getByLabel('Headers').fill(lines.join('\n'));
  await page.getByLabel('Body').fill(body);
  await page.getByLabel('Signing secret').fill(secret);
}

async function makeEndpoint(path: string) {
  const operator = await at().callers.as('operator');
  const accounts = await operator.call('backOffice.clients.list', 200, {
    query: { type: 'PARTNER', revoked: 'false' },
  });
  const { results } = accounts.json as ApiClientPage;
  const account = results.find(({ partner }) => partner?.name === 'Orderwhistle');
  const json = { clientId: account?.clientId, url: urlOf(path), retryDelaysSeconds: [] };
  const made = await operator.call('backOffice.webhooks.endpoints.create', 200, { json });
  return { operator, endpoint: (made.json as IssuedWebhookSecret).endpoint };
}

test('dead letters are counted, sent again once by a double click, and arrive', async () => {
  const { operator, endpoint } = await makeEndpoint('/down/replay');
  const restaurant = { params: { restaurantGuid: wren(at()).guid } };
  for (const status of ['OUT_OF_STOCK', 'IN_STOCK']) {
    const json = { changes: [{ name: 'Apple Pie with Cheddar', status }] };
    await operator.call('backOffice.stock.set', 200, { ...restaurant, json });
  }
  const watched = await signedIn(at(), 'OPERATOR');
  const { page, visit } = watched;
  await visit(`webhooks/endpoints/${endpoint.guid}`);
  // Both have failed for good, and the page has heard of it.
  await page.getByRole('link', { name: '2', exact: true }).waitFor();
  const url = urlOf('/up/replay');
  const params = { endpointGuid: endpoint.guid };
  await operator.call('backOffice.webhooks.endpoints.update', 200, { params, json: { url } });
  await page.getByRole('button', { name: 'Replay events' }).click();
  await page.getByRole('button', { name: 'Count them' }).click();
  await page.getByText('2 events are sent again').waitFor();
  await page.getByRole('button', { name: 'Send 2 events again' }).dblclick();
  await page.getByText('2 events are on the way again.').waitFor();
  await page.getByRole('row').filter({ hasText: 'Accepted' }).nth(1).waitFor();
  assert.equal(receivedAt('/up/replay').length, 2);
  await finish(watched);
});

test('an edit that meets the edit of somebody else shows both, and the person chooses', async () => {
  const { operator, endpoint } = await makeEndpoint('/hooks/conflict');
  const watched = await signedIn(at(), 'OPERATOR');
  const { page, faults, visit } = watched;
  const params = { endpointGuid: endpoint.guid };
  await visit(`webhooks/endpoints/${endpoint.guid}`);
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('What it is for (optional)').fill('Mine');
  await page.getByText('Order, timeouts, and retries').click();
  await page.getByLabel('Time to respond, in ms').fill('1');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Must be from 100 to 30000.').waitFor();
  assert.match(faults.splice(0).join(), /422/);
  await page.getByLabel('Time to respond, in ms').fill('5000');
  const json = { description: 'Theirs', isOrdered: true };
  await operator.call('backOffice.webhooks.endpoints.update', 200, { params, json });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Somebody else changed the same' }).waitFor();
  const theirs = page.getByRole('radio', { name: 'Theirs Theirs' });
  await theirs.check();
  await page.getByRole('radio', { name: 'Yours Mine' }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The endpoint is changed.').waitFor();
  const now = await operator.call('backOffice.webhooks.endpoints.get', 200, { params });
  const { description, answerTimeoutMs, isOrdered } = now.json as WebhookEndpoint;
  assert.deepEqual([description, answerTimeoutMs, isOrdered], ['Mine', 5_000, true]);
  await finish(watched);
});
