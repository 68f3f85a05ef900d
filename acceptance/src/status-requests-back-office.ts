import { randomUUID } from 'node:crypto';
import {
  type BackOfficePayment,
  callMove,
  LOWER_TIP,
  makeAlarm,
  type OrdersMove,
  payFor,
  readClock,
} from './back-office.ts';
import type { CallOptions, DemoCallers } from './client.ts';
import type { ExpectedOperation } from './operations.ts';
import {
  accountConflict,
  accountFamilies,
  accountMalformed,
  accountSample,
  accountWrong,
} from './status-requests-accounts.ts';
import {
  draftConflict,
  draftFamily,
  draftMalformed,
  draftSample,
  draftWrong,
} from './status-requests-drafts.ts';
import { faultFamily, faultSample, faultsWrong } from './status-requests-faults.ts';
import {
  logConflict,
  logFamilies,
  logMalformed,
  logSample,
  logsWrong,
} from './status-requests-logs.ts';
import {
  organizationConflict,
  organizationFamilies,
  organizationSample,
  organizationWrong,
} from './status-requests-organization.ts';
import {
  peopleConflict,
  peopleFamilies,
  peopleSample,
  peopleWrong,
} from './status-requests-people.ts';
import {
  restaurantOrderConflict,
  restaurantOrderSample,
  restaurantOrdersWrong,
} from './status-requests-restaurant-orders.ts';
import {
  sandboxConflict,
  sandboxesWrong,
  sandboxFamily,
  sandboxSample,
} from './status-requests-sandboxes.ts';
import { sampleStock, stockConflict, wrongStock } from './status-requests-stock.ts';
import {
  webhookConflict,
  webhookFamily,
  webhookMalformed,
  webhookSample,
  webhookWrong,
} from './status-requests-webhooks.ts';

const OFFICE = 'backOffice.';
const ordersFamily = 'orders';

/** A back office call that is answered by 200, on data made for it. */
export async function backOfficeSample(
  callers: DemoCallers,
  operation: ExpectedOperation,
): Promise<CallOptions> {
  const { id } = operation;
  const [, family = '', name = ''] = id.split('.');
  if (peopleFamilies.includes(family)) return peopleSample(callers, operation);
  if (accountFamilies.includes(family)) return accountSample(callers, operation);
  if (family === webhookFamily) return webhookSample(callers, operation);
  if (family === faultFamily) return faultSample(callers, name);
  if (family === draftFamily) return draftSample(callers, id);
  if (family === sandboxFamily) return sandboxSample(callers, id);
  if (family === ordersFamily) return restaurantOrderSample(callers, id.slice(OFFICE.length));
  if (family === 'payments') return samplePayment(callers, name);
  if (family === 'cardKeys') return sampleKey(callers, name);
  if (logFamilies.includes(family)) return logSample(callers, id);
  if (family === 'stock') return sampleStock(callers, name);
  if (organizationFamilies.includes(family)) return organizationSample(callers, family, name);
  if (name === 'acknowledge') {
    const alarm = await makeAlarm(callers);
    return { params: { alarmGuid: alarm.guid }, json: { note: 'The matrix took note of it.' } };
  }
  if (name === 'advance') return { json: { duration: 'PT1S' } };
  if (name === 'set') {
    const { now } = await readClock(await callers.as('operator'));
    return { json: { now: new Date(Date.parse(now) + 1000).toISOString() } };
  }
  return {};
}

const bodies: Readonly<Record<string, unknown>> = {
  apply: { checkGuid: randomUUID() },
  void: { reason: 'The guest left.' },
  tip: { tipAmount: LOWER_TIP },
};

async function samplePayment(callers: DemoCallers, name: string): Promise<CallOptions> {
  if (name === 'list') return {};
  const payment = await payFor(callers);
  if (['fulfil', 'capture', 'tip'].includes(name)) await callMove(callers, payment, 'apply');
  if (name === 'capture') await callMove(callers, payment, 'fulfil');
  return paymentCall(payment, name);
}

function paymentCall(
  { merchantGuid: merchantUuid, paymentUuid }: BackOfficePayment,
  name: string,
): CallOptions {
  const json = bodies[name];
  return { params: { merchantUuid, paymentUuid }, ...(json === undefined ? {} : { json }) };
}

const PENDING_KEY = { algorithm: 'ECDH-ES', state: 'PENDING' };

async function sampleKey(callers: DemoCallers, name: string): Promise<CallOptions> {
  const { clientId } = callers.platform.demo.clients.other;
  if (name === 'list') return { params: { clientId } };
  if (name === 'issue') return { params: { clientId }, json: PENDING_KEY };
  const before: Readonly<Record<string, readonly string[]>> = {
    activate: [],
    retire: ['activate'],
    destroy: ['activate', 'retire'],
  };
  return { params: await keyAfter(callers, before[name] ?? []) };
}

/** The path parameters of a new key of the unconnected partner, after those moves. */
async function keyAfter(
  callers: DemoCallers,
  moves: readonly string[],
): Promise<{ clientId: string; keyId: string }> {
  const operator = await callers.as('operator');
  const { clientId } = callers.platform.demo.clients.other;
  const issued = await operator.call('backOffice.cardKeys.issue', 200, {
    params: { clientId },
    json: PENDING_KEY,
  });
  const { keyId } = issued.json as { keyId: string };
  const params = { clientId, keyId };
  for (const move of moves) await operator.call(`backOffice.cardKeys.${move}`, 200, { params });
  return params;
}

/** What turns a sample into a call that lacks what it needs (400). */
export function backOfficeMalformed(operation: ExpectedOperation): CallOptions {
  if (operation.id.split('.')[1] === draftFamily) return draftMalformed(operation);
  const [, family = ''] = operation.id.split('.');
  if (accountFamilies.includes(family)) return accountMalformed(operation);
  if (family === webhookFamily) return webhookMalformed(operation);
  const takesEmpty = family === ordersFamily || logFamilies.includes(family);
  if (takesEmpty && operation.method === 'POST') return { json: undefined, bytes: '{' };
  if (operation.method === 'POST' || operation.method === 'PUT') return { json: {} };
  if (logFamilies.includes(family)) return logMalformed(operation);
  // A patch of nothing is a sound one.
  if (operation.method === 'PATCH') return { json: undefined, bytes: '{' };
  return { query: operation.id.includes('alarms') ? { open: 'perhaps' } : { pageSize: 0 } };
}

const wrongValues: Readonly<Record<string, unknown>> = {
  'payments.apply': { checkGuid: 'table 7' },
  'payments.void': { reason: 'x'.repeat(201) },
  'payments.tip': { tipAmount: -1 },
  'clock.set': { now: 'tomorrow' },
  'clock.advance': { duration: 'PT0S' },
  'cardKeys.issue': { algorithm: 'ROT13' },
  'alarms.acknowledge': { note: '' },
  'stock.set': wrongStock,
  ...organizationWrong,
  ...accountWrong,
  ...webhookWrong,
  ...faultsWrong,
  ...logsWrong,
  ...peopleWrong,
  ...restaurantOrdersWrong,
  ...sandboxesWrong,
};

/** What turns a sample into a call with a wrong value (422), or null when none is known. */
export async function backOfficeWrong(
  callers: DemoCallers,
  { id }: ExpectedOperation,
): Promise<CallOptions | null> {
  if (id.split('.')[1] === draftFamily) return await draftWrong(callers, id);
  const json = wrongValues[id.replace('backOffice.', '')];
  return json === undefined ? null : { json };
}

const illegal: Readonly<Record<string, readonly OrdersMove[]>> = {
  apply: ['apply'],
  fulfil: [],
  void: ['apply', 'fulfil'],
  capture: ['apply'],
  tip: [],
};

const illegalKeyMoves: Readonly<Record<string, readonly string[]>> = {
  activate: ['activate', 'retire'],
  retire: ['activate', 'retire', 'destroy'],
};

/** A move that the payment or the key does not allow (409), or null when none is known. */
export async function backOfficeConflict(
  callers: DemoCallers,
  operation: ExpectedOperation,
): Promise<CallOptions | null> {
  const { id } = operation;
  const [, family = '', name = ''] = id.split('.');
  if (accountFamilies.includes(family)) return accountConflict(callers, operation);
  if (family === webhookFamily) return webhookConflict(callers, operation);
  if (peopleFamilies.includes(family)) return peopleConflict(callers, id);
  if (family === draftFamily) return draftConflict(callers, id);
  if (family === sandboxFamily) return sandboxConflict(callers, id);
  if (organizationFamilies.includes(family)) return organizationConflict(callers, family, name);
  if (family === 'stock') return stockConflict(callers);
  if (logFamilies.includes(family)) return logConflict(callers);
  if (family === ordersFamily) return restaurantOrderConflict(callers, id.slice(OFFICE.length));
  const keyMoves = family === 'cardKeys' ? illegalKeyMoves[name] : undefined;
  if (keyMoves) return { params: await keyAfter(callers, keyMoves) };
  const moves = family === 'payments' ? illegal[name] : undefined;
  if (!moves) return null;
  const payment = await payFor(callers);
  for (const move of moves) await callMove(callers, payment, move);
  return paymentCall(payment, name);
}
