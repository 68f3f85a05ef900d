import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DemoFile } from '@servery/server/sandbox/demo-file.ts';
import { type Asker, inWordsOf } from './refusals.ts';

const WREN = '7a00cc1d-18eb-523f-b691-e860a507bb02';
const GUID = '11111111-1111-4111-8111-111111111111';

const demo = {
  restaurants: [{ guid: WREN, name: 'The Early Wren', archived: false }],
  clients: {
    partner: { clientId: 'c-partner', type: 'PARTNER' },
    group: { clientId: 'c-group', type: 'CUSTOMER' },
    operator: { clientId: 'c-operator', type: 'BACK_OFFICE' },
  },
} as unknown as DemoFile;

const inSandbox: Asker = {
  baseUrl: 'http://127.0.0.1:4400',
  clientId: 'c-operator',
  session: null,
  demo,
  restaurant: undefined,
};
const elsewhere: Asker = { ...inSandbox, baseUrl: 'https://platform.example', demo: null };

const missing = (asker: Asker, path: string): string =>
  inWordsOf(asker)({
    ...{ status: 404, method: 'POST', path: `/backoffice/v1${path}` },
    reason: 'There is no such thing: check the path.',
  });

const reworded = (reason: string): string =>
  inWordsOf(inSandbox)({ status: 422, method: 'POST', path: '/backoffice/v1/clock/set', reason });

test('servery 404: a payment that is not there is told with the place and the list', () => {
  const path = (merchant: string) => `/merchants/${merchant}/payments/${GUID}/void`;
  const list = '"servery payments list" shows those of all restaurants.';
  assert.equal(
    missing(inSandbox, path(WREN)),
    `there is no payment ${GUID} at The Early Wren, where it is looked for without ` +
      `--restaurant. ${list}`,
  );
  const said = { ...inSandbox, restaurant: 'wren' };
  assert.equal(missing(said, path(WREN)), `there is no payment ${GUID} at The Early Wren. ${list}`);
  assert.equal(
    missing(elsewhere, path(WREN)),
    `there is no payment ${GUID} at the restaurant ${WREN}, or no such restaurant within reach ` +
      `of the client c-operator. ${list}`,
  );
});

test('servery 404: a client that is not there is told with those of demo.json', () => {
  const names = 'write a clientId, or a name in demo.json: partner, group.';
  const reach = 'with card keys within reach of the client operator';
  const path = (client: string) => `/clients/${client}/cardKeys`;
  assert.equal(missing(inSandbox, path('nobody')), `there is no client nobody ${reach}: ${names}`);
  assert.equal(
    missing(inSandbox, path('c-operator')),
    `there is no client operator ${reach}: ${names}`,
  );
  assert.match(
    missing(elsewhere, path('nobody')),
    /of the client c-operator\. "servery clients list"/,
  );
});

test('servery 404: a card key that is not there is told with the list of its client', () => {
  const path = (client: string) => `/clients/${client}/cardKeys/ECDH-ES%3A%3Ax/retire`;
  assert.equal(
    missing(inSandbox, path('c-partner')),
    'the client partner has no card key ECDH-ES::x. "servery keys list partner" shows them.',
  );
  assert.match(missing(inSandbox, path('nobody')), /there is no client nobody/);
});

test('servery 404: an alarm that is not there is told with the list of alarms', () => {
  assert.equal(
    missing(inSandbox, `/alarms/${GUID}/acknowledge`),
    `there is no alarm ${GUID} within reach of the client operator. "servery alarms --all" ` +
      'shows them.',
  );
});

test('servery 404: what no argument names is a matter of the address', () => {
  assert.equal(
    missing(elsewhere, '/payments?state=REVIEW'),
    'https://platform.example has no POST /backoffice/v1/payments: it is another version than ' +
      'this command, or the address is not all right (--url, SERVERY_URL).',
  );
});

test('servery 422: fields and parameters are called as the command line calls them', () => {
  assert.equal(reworded('notAfter must be in the future.'), '--not-after must be in the future.');
  assert.equal(
    reworded('reason must have 1 to 200 characters; now must be an instant.'),
    '--reason must have 1 to 200 characters; the instant must be an instant.',
  );
  const other = 'The clock cannot go there: now is too late.';
  assert.equal(reworded(other), other);
});

test('servery 400: a parameter is called as the flag of the command that sends it', () => {
  const reason = 'state must be one of A, B.';
  const said = (path: string) =>
    inWordsOf(inSandbox)({
      ...{ status: 400, method: 'GET', path: `/backoffice/v1${path}?state=C`, reason },
    });
  assert.equal(said('/payments'), '--payment-state must be one of A, B.');
  assert.equal(said('/webhooks/endpoints'), '--state must be one of A, B.');
  assert.equal(said('/webhooks/deliveries'), '--state must be one of A, B.');
  assert.equal(said('/restaurants/x/connections'), reason);
});
