import { brandedHeaders, type OperationId, type Order, operationById } from '@servery/contract';
import { sleep } from '@servery/support/timer.ts';
import type { DemoFile } from '../../../packages/server/src/sandbox/demo-file.ts';
import type { Answer, Caller } from './caller.ts';
import type { Operation, OperationKind, OrderingKind, StaffKind } from './history.ts';
import { type OrderedItem, orderBody } from './ordered-item.ts';
import {
  contentOf,
  drawCard,
  type PartnerAccount,
  pathOf,
  paymentRequest,
  type WantedPayment,
} from './payment-request.ts';
import type { Lots } from './random.ts';

/** What whoever brings payments to the platform leans on. */
export interface GuestDeps {
  /** Name of the process, for the history. */
  readonly client: string;
  readonly demo: DemoFile;
  readonly servers: readonly string[];
  readonly partners: Readonly<Record<PartnerAccount, Caller>>;
  readonly orders: Caller;
  readonly items: readonly OrderedItem[];
  readonly lots: Lots;
  /** Takes what was asked and answered. */
  record(operation: Operation): void;
  isStopping(): boolean;
}

/** A move of the orders side: what is asked, and with what. */
type Move = Readonly<{ kind: 'apply' | 'fulfil' | 'void' | 'capture' | 'tip'; argument: string }>;

const operationIds = {
  put: 'creditCards.authorize',
  apply: 'backOffice.payments.apply',
  fulfil: 'backOffice.payments.fulfil',
  void: 'backOffice.payments.void',
  capture: 'backOffice.payments.capture',
  tip: 'backOffice.payments.tip',
  read: 'backOffice.payments.get',
} as const satisfies Record<Exclude<OperationKind, OrderingKind | StaffKind>, OperationId>;

const staffOperationIds = {
  fireOrder: 'backOffice.orders.fire',
  fulfilPaidOrder: 'backOffice.orders.fulfil',
  voidPaidOrder: 'backOffice.orders.void',
} as const satisfies Record<StaffKind, OperationId>;

const PATIENCE_MS = 28_000;
/** Some partners hang up before the platform could answer; that must cancel nothing. */
const IMPATIENCE_MS = 700;
/** The longest pause after the first try; after each further one it is so much longer. */
const PAUSE_STEP_MS = 250;
const TRIES = 12;

/**
 * Brings one payment through its life like an honest partner and an honest orders side: what is
 * not known is asked again, unchanged, of any server.
 */
export async function liveOnePayment(
  deps: GuestDeps,
  account: PartnerAccount,
  payment: WantedPayment,
): Promise<void> {
  const { lots } = deps;
  const state = await authorizeUntilKnown(deps, account, payment);
  if (state === 'AUTHORIZED') {
    // What was answered must be seen by everybody from now on.
    if (lots.chance(0.5)) await look(deps, payment);
    if (lots.chance(0.4)) await orderAndPay(deps, account, payment);
    else await ordersSide(deps, payment);
  }
  if (lots.chance(0.15)) await orderUnpaid(deps, account, payment);
  if (lots.chance(0.3)) await put(deps, account, payment);
  if (lots.chance(0.3)) await look(deps, payment);
}

/** Sends several PUTs of one identity at once, all alike or all different, to all servers. */
export async function crowd(
  deps: GuestDeps,
  account: PartnerAccount,
  payments: readonly WantedPayment[],
): Promise<void> {
  await Promise.all(payments.map((payment) => authorizeUntilKnown(deps, account, payment)));
}

/** A new payment of this account, with a card by lot. */
export function wantPayment(deps: GuestDeps, paymentUuid: string, lots: Lots): WantedPayment {
  return {
    merchantGuid: lots.pick(deps.items).merchantGuid,
    paymentUuid,
    cardNumber: drawCard(lots),
    amount: lots.between(5, 90),
    tipAmount: lots.between(0, 9),
  };
}

async function authorizeUntilKnown(
  deps: GuestDeps,
  account: PartnerAccount,
  payment: WantedPayment,
): Promise<string | null> {
  for (let tried = 1; tried <= TRIES && !deps.isStopping(); tried += 1) {
    const answer = await put(deps, account, payment);
    const status = answer?.status ?? 500;
    const state = answer && status === 200 ? stateIn(answer) : null;
    // Refused, or known; what is acknowledged or broke off is asked again.
    if (status < 500 && state !== 'ACKNOWLEDGED') return state;
    await pause(deps, tried);
  }
  return null;
}

/** Whatever the orders side may do, in turn or at once. */
async function ordersSide(deps: GuestDeps, payment: WantedPayment): Promise<void> {
  const { lots } = deps;
  const name = payment.paymentUuid.slice(0, 8);
  const apply: Move = { kind: 'apply', argument: payment.paymentUuid };
  const giveUp: Move = { kind: 'void', argument: `guest of ${name} left` };
  const fulfil: Move = { kind: 'fulfil', argument: '' };
  const capture: Move = { kind: 'capture', argument: '' };
  const tip = (): Move => ({
    kind: 'tip',
    argument: String(lots.between(0, payment.tipAmount - 1)),
  });
  if (lots.chance(0.15)) return;
  if (lots.chance(0.2)) return await atOnce(deps, payment, [apply, giveUp]);
  if (lots.chance(0.1)) return await untilKnown(deps, payment, giveUp);
  await untilKnown(deps, payment, apply);
  if (payment.tipAmount > 0 && lots.chance(0.3)) await untilKnown(deps, payment, tip());
  if (lots.chance(0.1)) return;
  if (lots.chance(0.35)) return await atOnce(deps, payment, [fulfil, giveUp, look]);
  if (lots.chance(0.15)) return await untilKnown(deps, payment, giveUp);
  await untilKnown(deps, payment, fulfil);
  if (payment.tipAmount > 0 && lots.chance(0.3)) {
    return await atOnce(deps, payment, [tip(), tip(), capture]);
  }
  if (lots.chance(0.3)) return await atOnce(deps, payment, [capture, capture, giveUp]);
  if (lots.chance(0.4)) await untilKnown(deps, payment, capture);
}

/** The guest's order is placed until that is known, and staff do with it what they may. */
async function orderAndPay(
  deps: GuestDeps,
  account: PartnerAccount,
  payment: WantedPayment,
): Promise<void> {
  const { lots } = deps;
  const order = await placeUntilKnown(deps, account, payment, true);
  const [check] = order?.checks ?? [];
  if (!order?.guid || !check?.guid) return;
  const { guid: orderGuid, externalId } = order;
  const path = operationById('orders.payments.update')
    .path.replace('{orderGuid}', orderGuid)
    .replace('{checkGuid}', check.guid)
    .replace('{paymentGuid}', payment.paymentUuid);
  if (payment.tipAmount > 0 && lots.chance(0.4)) {
    const tip = lots.between(0, payment.tipAmount - 1);
    const asked = { kind: 'orderTip', argument: String(tip) } as const;
    await changeOrder(
      deps,
      account,
      payment,
      { ...asked, method: 'PATCH', path },
      { tipAmount: tip },
    );
  }
  const decide = (kind: StaffKind) => () =>
    decideUntilKnown(deps, payment, { kind, orderGuid, argument: externalId ?? '' });
  const fulfil = decide('fulfilPaidOrder');
  const giveUp = decide('voidPaidOrder');
  const giveUpPayment: Move = { kind: 'void', argument: `guest of ${orderGuid} left` };
  if (lots.chance(0.2)) return;
  if (lots.chance(0.3)) await decide('fireOrder')();
  if (lots.chance(0.2)) return await giveUp();
  if (lots.chance(0.1)) return await atOnce(deps, payment, [giveUpPayment, giveUp]);
  if (lots.chance(0.1)) return await atOnce(deps, payment, [giveUpPayment, fulfil]);
  if (lots.chance(0.2)) return await atOnce(deps, payment, [decide('fireOrder'), fulfil, giveUp]);
  await fulfil();
  if (lots.chance(0.4)) await untilKnown(deps, payment, { kind: 'capture', argument: '' });
}

/** Staff decide about the order, again until it is known. */
async function decideUntilKnown(
  deps: GuestDeps,
  payment: WantedPayment,
  asked: Readonly<{ kind: StaffKind; orderGuid: string; argument: string }>,
): Promise<void> {
  const { kind, orderGuid, argument } = asked;
  const path = operationById(staffOperationIds[kind])
    .path.replace('{restaurantGuid}', payment.merchantGuid)
    .replace('{orderGuid}', orderGuid);
  const json = staffBodies[kind];
  for (let tried = 1; tried <= TRIES && !deps.isStopping(); tried += 1) {
    const server = deps.lots.pick(deps.servers);
    const call = { server, method: 'POST', path, json, limitMs: PATIENCE_MS } as const;
    const answer = await deps.orders(call);
    note(deps, payment, { kind, argument, server, answer });
    if ((answer?.status ?? 500) < 500) return;
    await pause(deps, tried);
  }
}

const staffBodies: Readonly<Record<StaffKind, object | undefined>> = {
  fireOrder: {},
  fulfilPaidOrder: undefined,
  voidPaidOrder: { reason: 'The guest left.' },
};

/** An order that is to be paid at the counter, and may be given up. */
async function orderUnpaid(
  deps: GuestDeps,
  account: PartnerAccount,
  payment: WantedPayment,
): Promise<void> {
  const order = await placeUntilKnown(deps, account, payment, false);
  if (!order?.guid || deps.lots.chance(0.4)) return;
  const path = operationById('orders.void').path.replace('{orderGuid}', order.guid);
  const argument = order.externalId ?? '';
  await changeOrder(
    deps,
    account,
    payment,
    { kind: 'voidOrder', argument, method: 'POST', path },
    all,
  );
}

const all = { selections: { voidAll: true }, payments: { voidAll: true } };

/** After a lost answer it is placed again, and found by its identifier if it was taken. */
async function placeUntilKnown(
  deps: GuestDeps,
  account: PartnerAccount,
  payment: WantedPayment,
  isPaid: boolean,
): Promise<Order | null> {
  const item = deps.items.find(({ merchantGuid }) => merchantGuid === payment.merchantGuid);
  if (!item) throw new Error(`nothing is ordered at ${payment.merchantGuid}`);
  const kind = isPaid ? 'place' : 'placeUnpaid';
  const externalId = `${kind}:${account}:${payment.paymentUuid}`;
  const body = orderBody(item, externalId, isPaid ? payment : null);
  const { method, path } = operationById('orders.place');
  const asked = { kind, argument: externalId, method: method as 'POST', path } as const;
  const answer = await changeOrder(deps, account, payment, asked, body);
  if (answer?.status === 200) return JSON.parse(answer.text ?? '') as Order;
  if (answer?.status !== 409 || !answer.text?.includes('externalId')) return null;
  const found = await deps.partners[account]({
    ...{ server: deps.lots.pick(deps.servers), method: 'GET', limitMs: PATIENCE_MS },
    path: operationById('orders.get').path.replace('{guid}', encodeURIComponent(externalId)),
    headers: restaurantHeader(deps, payment),
  });
  return found?.status === 200 ? (JSON.parse(found.text ?? '') as Order) : null;
}

/** Asks the orders interface until the answer is known. */
async function changeOrder(
  deps: GuestDeps,
  account: PartnerAccount,
  payment: WantedPayment,
  asked: Readonly<{ kind: OrderingKind; argument: string; method: 'PATCH' | 'POST'; path: string }>,
  json: unknown,
): Promise<Answer | null> {
  const { kind, argument, method, path } = asked;
  const headers = restaurantHeader(deps, payment);
  for (let tried = 1; tried <= TRIES && !deps.isStopping(); tried += 1) {
    const server = deps.lots.pick(deps.servers);
    const call = { server, method, path, headers, json, limitMs: PATIENCE_MS };
    const answer = await deps.partners[account](call);
    note(deps, payment, { kind, argument, server, answer });
    if ((answer?.status ?? 500) < 500) return answer;
    await pause(deps, tried);
  }
  return null;
}

function restaurantHeader({ demo }: GuestDeps, { merchantGuid }: WantedPayment) {
  return { [brandedHeaders(demo.brand).restaurantExternalId]: merchantGuid };
}

async function atOnce(
  deps: GuestDeps,
  payment: WantedPayment,
  moves: readonly (Move | typeof look | (() => Promise<void>))[],
): Promise<void> {
  await Promise.all(
    moves.map((move) =>
      typeof move === 'function' ? move(deps, payment) : untilKnown(deps, payment, move),
    ),
  );
}

async function untilKnown(deps: GuestDeps, payment: WantedPayment, move: Move): Promise<void> {
  for (let tried = 1; tried <= TRIES && !deps.isStopping(); tried += 1) {
    const answer = await askOrders(deps, payment, move, 'POST', bodyOf(move));
    if ((answer?.status ?? 500) < 500) return;
    await pause(deps, tried);
  }
}

function bodyOf({ kind, argument }: Move): object | undefined {
  if (kind === 'apply') return { checkGuid: argument };
  if (kind === 'void') return { reason: argument };
  return kind === 'tip' ? { tipAmount: Number(argument) } : undefined;
}

function look(deps: GuestDeps, payment: WantedPayment): Promise<Answer | null> {
  return askOrders(deps, payment, { kind: 'read', argument: '' }, 'GET', undefined);
}

async function askOrders(
  deps: GuestDeps,
  payment: WantedPayment,
  { kind, argument }: Readonly<{ kind: keyof typeof operationIds; argument: string }>,
  method: 'GET' | 'POST',
  json: unknown,
): Promise<Answer | null> {
  const operationId = operationIds[kind];
  const server = deps.lots.pick(deps.servers);
  const path = pathOf(operationId, payment);
  const answer = await deps.orders({ server, method, path, json, limitMs: PATIENCE_MS });
  note(deps, payment, { kind, argument, server, answer });
  return answer;
}

async function put(
  deps: GuestDeps,
  account: PartnerAccount,
  payment: WantedPayment,
): Promise<Answer | null> {
  const { demo, lots, partners } = deps;
  const request = await paymentRequest(demo, account, payment);
  const server = lots.pick(deps.servers);
  const limitMs = lots.chance(0.05) ? IMPATIENCE_MS : PATIENCE_MS;
  const answer = await partners[account]({ ...request, server, limitMs });
  note(deps, payment, { kind: 'put', argument: contentOf(account, payment), server, answer });
  return answer;
}

function note(
  deps: GuestDeps,
  { merchantGuid, paymentUuid }: WantedPayment,
  asked: Pick<Operation, 'kind' | 'argument' | 'server'> & { readonly answer: Answer | null },
): void {
  const { answer, kind, argument, server } = asked;
  if (!answer) return;
  const { startUs, endUs, status, text, retryAfter } = answer;
  const body = status === 200 && text !== null ? JSON.parse(text) : {};
  const { client } = deps;
  const facts = { client, server, kind, merchantGuid, paymentUuid, argument };
  const { paymentState: state = null } = body;
  // Staff are told the version of the order, which is not that of its payment.
  const version = state === null ? null : (body.version ?? null);
  const orderGuid = 'checks' in body ? body.guid : null;
  const answered = { status, retryAfter, state, version, orderGuid, body: text };
  deps.record({ ...facts, startUs, endUs, ...answered });
}

function stateIn({ text }: Answer): string | null {
  return (JSON.parse(text ?? '{}') as { paymentState?: string }).paymentState ?? null;
}

async function pause({ lots }: GuestDeps, tried: number): Promise<void> {
  await sleep(lots.between(20, PAUSE_STEP_MS * tried));
}
