import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Answer } from './answer.ts';
import { Client, type DemoCallers, logIn } from './client.ts';
import type { DemoClient, DemoTestCard } from './demo.ts';
import { openRestaurants } from './fixtures.ts';
import { authorize, type PaymentBody, paymentBody } from './payment.ts';
import { runCommand, type StartedPlatform } from './platform.ts';

/** A BackOfficePayment as the tests read it. */
export interface BackOfficePayment {
  merchantGuid: string;
  paymentUuid: string;
  paymentState: string;
  version: number;
  attempt: number;
  clientId: string;
  currencyCode: string;
  cardLast4: string;
  amount: number;
  tipAmount: number;
  authorizedAmount: number | null;
  capturedAmount: number | null;
  error: string | null;
  checkGuid: string | null;
  voidReason: string | null;
  createdAt: string;
  modifiedAt: string;
  authorizedAt: string | null;
  applyDeadline: string | null;
  captureDeadline: string | null;
  captureAt: string | null;
  nextDeadline: { at: string; action: string } | null;
  legalMoves: string[];
}

/** A PaymentEvent as the tests read it. */
export interface PaymentEvent {
  version: number;
  fromState: string | null;
  cause: string;
  toState: string;
  attempt: number;
  occurredAt: string;
}

/** A DoneWork as the tests read it. */
export interface DoneWork {
  at: string;
  kind: string;
  merchantGuid: string | null;
  paymentUuid: string | null;
  fromState: string | null;
  cause: string | null;
  toState: string | null;
  webhook: { endpointGuid: string; status: number | null; nextAt: string | null } | null;
}

/** A ClockStatus as the tests read it. */
export interface ClockStatus {
  now: string;
  mode: 'RUNNING' | 'FROZEN';
  realNow: string;
  isMovable: boolean;
  nextDeadline: { at: string; kind: string } | null;
}

/** A ClockMove as the tests read it. */
export interface ClockMove {
  clock: ClockStatus;
  done: DoneWork[];
  stoppedBecause: string | null;
}

/** An Alarm as the tests read it. */
export interface Alarm {
  guid: string;
  kind: string;
  merchantGuid: string;
  paymentUuid: string;
  explanation: string;
  raisedAt: string;
  acknowledgedAt: string | null;
  acknowledgedBy: string | null;
  note: string | null;
}

/** A CardKey as the tests read it. */
export interface CardKey {
  keyId: string;
  state: string;
  publicKeyPem: string;
}

/** A payment by its place, which is all that asking for it takes. */
export type PaymentKey = Pick<BackOfficePayment, 'merchantGuid' | 'paymentUuid'>;

/** The moves of the orders side. */
export type OrdersMove = 'apply' | 'fulfil' | 'void' | 'capture' | 'tip';

/** What makes one payment of a test differ from the plain one. */
export interface PayOptions {
  readonly merchant?: string;
  readonly card?: DemoTestCard;
  readonly body?: PaymentBody;
  readonly amount?: number;
  /** Status of the PUT; 200 when absent. */
  readonly status?: number;
}

/**
 * Makes an account of the back office on the data of a platform that runs, and logs it in. It
 * reaches the restaurants of one management group, or without it the whole platform.
 */
export async function newBackOfficeClient(
  platform: StartedPlatform,
  group: string | null,
  settings: Readonly<Record<string, string>> = {},
): Promise<Client> {
  const about = ['--type', 'back-office', '--name', 'Ring orders', '--scopes', 'all', '--json'];
  const reach = group === null ? [] : ['--group', group];
  const args = ['clients', 'create', '--local', ...about, ...reach];
  const { code, output, errors } = await runCommand(platform.dataDir, args, settings);
  assert.equal(code, 0, errors);
  const { client, clientSecret } = JSON.parse(output) as Pick<DemoClient, 'clientSecret'> & {
    readonly client: Pick<DemoClient, 'clientId'>;
  };
  const { clientId } = client;
  const userAccessType = `${platform.brand.toUpperCase()}_MACHINE_CLIENT`;
  const account = { clientId, clientSecret, userAccessType, scopes: [] };
  return new Client(platform, await logIn(platform, account));
}

/** A busy machine may hold any process for seconds, again and again. */
const LONGEST_WAIT_MS = 120_000;
const PAUSE_MS = 100;

/** The test card whose name has these words; throws when the sandbox has none. */
export function cardNamed(callers: DemoCallers, name: RegExp): DemoTestCard {
  const card = callers.platform.demo.testCards.find((each) => name.test(each.name));
  if (!card) throw new Error(`no test card is called like ${name}`);
  return card;
}

/** The demo partner authorizes a payment; gives it as the back office sees it then. */
export async function payFor(
  callers: DemoCallers,
  options: PayOptions = {},
): Promise<BackOfficePayment> {
  const { demo } = callers.platform;
  const merchantGuid = options.merchant ?? openRestaurants(demo)[0];
  const paymentUuid = randomUUID();
  const { card, amount } = options;
  const changes = { ...(card ? { card } : {}), ...(amount === undefined ? {} : { amount }) };
  const body = options.body ?? (await paymentBody(demo, changes));
  const partner = await callers.as('partner');
  await authorize(partner, options.status ?? 200, merchantGuid, body, paymentUuid);
  return readPayment(callers, { merchantGuid, paymentUuid });
}

const paramsOf = ({ merchantGuid: merchantUuid, paymentUuid }: PaymentKey) => ({
  params: { merchantUuid, paymentUuid },
});

/** The payment as it is now. */
export async function readPayment(
  callers: DemoCallers,
  key: PaymentKey,
): Promise<BackOfficePayment> {
  const orders = await callers.as('orders');
  const { json } = await orders.call('backOffice.payments.get', 200, paramsOf(key));
  return json as BackOfficePayment;
}

/** The events of a payment, of which the versions have no gaps (PAY-I5). */
export async function readEvents(callers: DemoCallers, key: PaymentKey): Promise<PaymentEvent[]> {
  const orders = await callers.as('orders');
  const answer = await orders.call('backOffice.payments.events', 200, paramsOf(key));
  const events = answer.json as PaymentEvent[];
  let before: PaymentEvent | undefined;
  for (const [index, event] of events.entries()) {
    assert.equal(event.version, index + 1, 'PAY-I5: versions have no gaps');
    assert.equal(
      event.fromState,
      before?.toState ?? null,
      'PAY-I5: each event starts where one ended',
    );
    before = event;
  }
  return events;
}

/** The states that a payment has gone through, in their order. */
export async function statesOf(callers: DemoCallers, key: PaymentKey): Promise<string[]> {
  return (await readEvents(callers, key)).map(({ toState }) => toState);
}

const CHECK = '5b0f3c62-8a4d-4f17-9c2e-0d1e2f3a4b5c';

/** Below the tip that the payments of tests have. */
export const LOWER_TIP = 0.5;

/** The body that a move of the orders side has. */
function bodyOfMove(move: OrdersMove): { json?: unknown } {
  if (move === 'apply') return { json: { checkGuid: CHECK } };
  if (move === 'tip') return { json: { tipAmount: LOWER_TIP } };
  return move === 'void' ? { json: { reason: 'The guest left.' } } : {};
}

/** Asks for a move as the orders system and gives the answer of this status. */
export async function askForMove(
  callers: DemoCallers,
  key: PaymentKey,
  move: OrdersMove,
  status: number,
): Promise<Answer> {
  const orders = await callers.as('orders');
  const options = { ...paramsOf(key), ...bodyOfMove(move) };
  return orders.call(`backOffice.payments.${move}`, status, options);
}

/** Makes a legal move and gives the payment as it is then. */
export async function callMove(
  callers: DemoCallers,
  key: PaymentKey,
  move: OrdersMove,
): Promise<BackOfficePayment> {
  return (await askForMove(callers, key, move, 200)).json as BackOfficePayment;
}

/** How the clock stands. */
export async function readClock(client: Client): Promise<ClockStatus> {
  return (await client.call('backOffice.clock.get', 200)).json as ClockStatus;
}

/** Moves the clock; the move has to get where it was meant to. */
export async function moveClock(
  client: Client,
  move: 'freeze' | 'run' | 'next' | { readonly advance: string } | { readonly set: string },
): Promise<ClockMove> {
  const [name, json] =
    typeof move === 'string'
      ? [move, undefined]
      : 'set' in move
        ? ['set', { now: move.set }]
        : ['advance', { duration: move.advance }];
  const answer = await client.call(`backOffice.clock.${name}`, 200, { json });
  const moved = answer.json as ClockMove;
  assert.equal(moved.stoppedBecause, null);
  return moved;
}

/** Asks until the answer satisfies; fails with the last answer when that takes too long. */
export async function until<Value>(
  what: string,
  ask: () => Promise<Value>,
  satisfies: (value: Value) => boolean,
): Promise<Value> {
  const startedMs = performance.now();
  for (;;) {
    const value = await ask();
    if (satisfies(value)) return value;
    const late = performance.now() - startedMs > LONGEST_WAIT_MS;
    assert.ok(!late, `${what} did not come about: ${JSON.stringify(value)}`);
    await wait(PAUSE_MS);
  }
}

/** Makes a payment that a person has to look at, and gives its alarm. */
export async function makeAlarm(callers: DemoCallers, merchant?: string): Promise<Alarm> {
  const card = cardNamed(callers, /a void is declined/);
  const payment = await payFor(callers, { card, ...(merchant ? { merchant } : {}) });
  const { paymentState } = await callMove(callers, payment, 'void');
  assert.equal(paymentState, 'REVIEW');
  const orders = await callers.as('orders');
  const query = { open: true, pageSize: 200 };
  const { json } = await orders.call('backOffice.alarms.list', 200, { query });
  const { results } = json as { results: Alarm[] };
  const alarm = results.find(({ paymentUuid }) => paymentUuid === payment.paymentUuid);
  assert.ok(alarm, 'a payment in REVIEW is among the open alarms');
  return alarm;
}
