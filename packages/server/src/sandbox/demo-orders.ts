import type { MenusDocument, Order, ResolvedMenuGroup, ResolvedMenuItem } from '@servery/contract';
import { derivedGuid } from '@servery/support/ids.ts';
import type { ChangeOrigin } from '../audit/entry-store.ts';
import { systemOrigin } from '../audit/origin.ts';
import { Faults } from '../http/faults.ts';
import { applyByHand } from '../orders/kitchen/apply-by-hand.ts';
import { type Decide, decideOrder } from '../orders/kitchen/decide.ts';
import { createOrderWork } from '../orders/kitchen/due-work.ts';
import { fulfil } from '../orders/kitchen/fulfil.ts';
import { pay, readCounterPayment } from '../orders/kitchen/pay.ts';
import { ready } from '../orders/kitchen/prepare.ts';
import { reject, voidOrder } from '../orders/kitchen/void.ts';
import type { OrderDeps } from '../orders/order-deps.ts';
import { tryToPlace } from '../orders/place/try-to-place.ts';
import {
  findOrderingRestaurant,
  listPublished,
  type OrderingRestaurant,
  type PublishedRestaurant,
} from '../orders/published-store.ts';
import { modifierGroupsOf, optionsOf } from '../orders/read-order/menu-index.ts';
import { digestOfRequest } from '../orders/request-digest.ts';
import { type AuthorizeDeps, authorize } from '../payments/authorize/authorize.ts';
import { encryptCardData } from '../payments/cards/encrypt-card-data.ts';
import { createCardKeyring } from '../payments/cards/keyring.ts';
import { testCards } from '../payments/cards/test-cards.ts';
import { closeOutAfter } from '../payments/due/close-out.ts';
import { createPaymentSweep } from '../payments/due/sweep.ts';
import { type DemoItem, type DemoOrder, type DemoStep, demoOrders } from './demo/orders.ts';
import type { DemoClient } from './demo-file.ts';
import { findNext, type NamedWork } from './mover.ts';

export type DemoOrderDeps = OrderDeps & Omit<AuthorizeDeps, 'keyring'>;

export interface DemoOrderers {
  /** Whose account of the partner orders. */
  readonly partner: DemoClient;
  readonly partnerGuid: string;
  /** The account of the orders system, which decides for the restaurants. */
  readonly orders: DemoClient;
}

const MINUTE_MS = 60_000;

/**
 * Places the demo orders, as if the clock had moved through yesterday and today: each decision is
 * made by the code that makes it for everybody, at its time, with the due work in between (ORD-69).
 */
export async function placeDemoOrders(
  given: DemoOrderDeps,
  orderers: DemoOrderers,
  restaurantGuids: ReadonlyMap<string, string>,
): Promise<void> {
  const nowMs = given.clock.nowMs();
  let atMs = 0;
  const clock = { nowMs: () => atMs };
  const deps: DemoOrderDeps = {
    ...{ ...given, clock },
    // The steps below are what a simulated kitchen would do.
    orderSettings: { ...given.orderSettings, kitchen: 'staff' },
  };
  const dueWork: readonly NamedWork[] = [
    { kind: 'payment', isDeadline: true, work: createPaymentSweep(deps) },
    { kind: 'order', isDeadline: true, work: createOrderWork(deps) },
  ];
  const moveTo = async (untilMs: number) => {
    for (;;) {
      const next = await findNext(dueWork);
      if (!next || next.dueMs > untilMs) break;
      atMs = Math.max(atMs, next.dueMs);
      await next.work.runDue(next.dueMs, { isSequential: true, piecesAtMost: 1 });
    }
    atMs = untilMs;
  };
  const happenings: { readonly atMs: number; readonly happen: () => Promise<void> }[] = [];
  for (const demo of demoOrders) {
    const restaurantGuid = restaurantGuids.get(demo.restaurant) ?? '';
    const restaurant = await findOrderingRestaurant(deps.database.sql, restaurantGuid);
    if (!restaurant) throw new Error(`the demo group has no restaurant ${demo.restaurant}`);
    const placedMs = placedAt(demo, restaurant, nowMs);
    const ordering: Ordering = { deps, orderers, demo, restaurant, placedMs };
    let placed: Order | null = null;
    happenings.push({
      atMs: placedMs,
      happen: async () => {
        placed = await placeAndPay(ordering);
      },
    });
    for (const step of demo.steps ?? []) {
      happenings.push({
        atMs: Math.min(nowMs, placedMs + step.minutes * MINUTE_MS),
        happen: async () => {
          if (placed) await take(step, ordering, placed);
        },
      });
    }
  }
  for (const { atMs: dueMs, happen } of happenings.toSorted((a, b) => a.atMs - b.atMs)) {
    await moveTo(dueMs);
    await happen();
  }
  await moveTo(nowMs);
}

interface Ordering {
  readonly deps: DemoOrderDeps;
  readonly orderers: DemoOrderers;
  readonly demo: DemoOrder;
  readonly restaurant: PublishedRestaurant;
  readonly placedMs: number;
}

/** What is of today is never before its business day began, however short it has been. */
function placedAt({ placed }: DemoOrder, restaurant: OrderingRestaurant, nowMs: number): number {
  const beganMs = beginOfBusinessDay(nowMs, restaurant);
  if ('minutesAgo' in placed) return Math.max(beganMs, nowMs - placed.minutesAgo * MINUTE_MS);
  return localTime(beganMs, restaurant, -1, placed.yesterday);
}

const TWO_DAYS_MS = 48 * 60 * MINUTE_MS;

function beginOfBusinessDay(nowMs: number, restaurant: OrderingRestaurant): number {
  let beganMs = closeOutAfter(nowMs - TWO_DAYS_MS, restaurant);
  for (;;) {
    const nextMs = closeOutAfter(beganMs, restaurant);
    if (nextMs > nowMs) return beganMs;
    beganMs = nextMs;
  }
}

function localTime(
  ofMs: number,
  { timeZone }: OrderingRestaurant,
  daysLater: number,
  time: string,
): number {
  const day = Temporal.Instant.fromEpochMilliseconds(ofMs).toZonedDateTimeISO(timeZone);
  const date = day.toPlainDate().add({ days: daysLater });
  return date.toZonedDateTime({ timeZone, plainTime: Temporal.PlainTime.from(time) })
    .epochMilliseconds;
}

async function placeAndPay(ordering: Ordering): Promise<Order> {
  const { deps, demo, restaurant, orderers } = ordering;
  const body = await bodyOf(ordering);
  const sent = {
    ...{ restaurantGuid: restaurant.guid, body, operation: NO_STATUSES },
    faults: new Faults(NO_STATUSES),
    clientId: orderers.partner.clientId,
    ownerGuid: orderers.partnerGuid,
    requestDigest: digestOfRequest(deps.vault, body),
    origin: originOf(ordering, orderers.partner, 'orders.place'),
  };
  const placed = await tryToPlace(deps, sent, false);
  if (!placed) throw new Error(`the restaurant ${demo.restaurant} is being changed by others`);
  const [check] = placed.checks;
  if (demo.card && check) {
    const paymentUuid = await authorizeCard(ordering, check.totalAmount, demo.card.tip);
    const decide = applyByHand(paymentUuid, check.guid ?? '');
    await decideAs(ordering, placed, orderers.partner, 'orders.payments.add', decide);
  }
  return placed;
}

/** No faults of other statuses come up here. */
const NO_STATUSES = { statuses: [] };

async function bodyOf({ deps, demo, restaurant, placedMs }: Ordering) {
  const menus = await deps.menusOf(restaurant);
  if (!menus) throw new Error(`the restaurant ${demo.restaurant} has no menus`);
  const named = await listPublished(deps.database.sql, restaurant.guid, NAMED);
  const reference = (wanted: string) => {
    const found = named.find(({ fields }) => fields.name === wanted);
    if (!found) throw new Error(`the demo group has no ${wanted}`);
    return { guid: found.guid };
  };
  const { customer, deliveryInfo, curbsidePickupInfo, numberOfGuests, table, voucher } = demo;
  const payments = voucher
    ? [{ type: 'OTHER', amount: VOUCHER, otherPayment: reference(voucher) }]
    : [];
  const selections = demo.items.map((item) => selectionOf(menus.document, item));
  return {
    externalId: demo.externalId,
    diningOption: reference(demo.diningOption),
    table: table ? reference(table) : null,
    promisedDate: demo.isForTomorrow ? noonAfter(placedMs, restaurant) : null,
    ...{ numberOfGuests, deliveryInfo, curbsidePickupInfo },
    checks: [{ customer, selections, payments }],
  };
}

const NAMED = ['diningOptions', 'tables', 'alternatePaymentTypes'];

const VOUCHER = 20;

function noonAfter(placedMs: number, restaurant: OrderingRestaurant): string {
  const beganMs = beginOfBusinessDay(placedMs, restaurant);
  return new Date(localTime(beganMs, restaurant, 1, '12:00')).toISOString();
}

function selectionOf(
  document: MenusDocument,
  { item: name, quantity = 1, options = [] }: DemoItem,
) {
  const [group, item] =
    findItem(
      document.menus.flatMap(({ menuGroups }) => menuGroups),
      name,
    ) ?? [];
  if (!group || !item) throw new Error(`the demo group has no menu item ${name}`);
  const groups = modifierGroupsOf(document, item.modifierGroupReferences);
  const modifiers = options.map((wanted) => {
    for (const optionGroup of groups) {
      const option = optionsOf(document, optionGroup).find((one) => one.name === wanted);
      if (option) {
        return { optionGroup: { guid: optionGroup.guid }, item: { guid: option.guid }, quantity };
      }
    }
    throw new Error(`${name} has no option ${wanted}`);
  });
  return { itemGroup: { guid: group.guid }, item: { guid: item.guid }, quantity, modifiers };
}

function findItem(
  groups: readonly ResolvedMenuGroup[],
  name: string,
): [ResolvedMenuGroup, ResolvedMenuItem] | null {
  for (const group of groups) {
    const item = group.menuItems.find((one) => one.name === name);
    const found = item
      ? ([group, item] as [ResolvedMenuGroup, ResolvedMenuItem])
      : findItem(group.menuGroups, name);
    if (found) return found;
  }
  return null;
}

/** As a partner does it, with card data that is encrypted for the account. */
async function authorizeCard(ordering: Ordering, amount: number, tipAmount: number) {
  const { deps, orderers, restaurant } = ordering;
  const { clientId, cardKeys } = orderers.partner;
  const key = cardKeys.find(({ algorithm }) => algorithm === 'ECDH-ES');
  const card = testCards.find(({ paymentState }) => paymentState === 'AUTHORIZED');
  if (!key || !card) throw new Error('the demo partner has no card key, or no card is approved');
  const country = 'USA';
  const encryptedCardData = (await encryptCardData(key.publicKeyPem, key.keyId, {
    ...{ cardNumber: card.number, zipCode: POSTAL_CODE, cvv: '123', country },
    ...{ expMonth: '12', expYear: String(new Date(ordering.placedMs).getFullYear() + 3) },
  })) as string;
  // The same everywhere, so that a comparison of two sandboxes finds the same payment.
  const paymentUuid = derivedGuid(restaurant.guid, `payments/${ordering.demo.externalId}`);
  const payment = await authorize(
    {
      ...{ ...deps, velocityLimits: null },
      keyring: createCardKeyring(deps.database.sql, deps.vault),
    },
    {
      ...{ paymentUuid, restaurant, besides: null, keep: () => {}, note: () => {}, waitedMs: 0 },
      principal: { clientId, holdsLegacyCardKey: false },
      faults: new Faults(NO_STATUSES),
      body: {
        cardNumberOrigin: 'END_USER',
        willSaveCard: false,
        ...{ encryptedCardData, amount, tipAmount, keyId: key.keyId },
        requestMetadata: {
          partnerServiceInfo: { instanceId: 'demo' },
          localTransactionDate: new Date(ordering.placedMs).toISOString(),
          originIPAddr: '192.0.2.10',
          cardFirst6: card.number.slice(0, 6),
          cardLast4: card.number.slice(-4),
          billingAddress: { postalCode: POSTAL_CODE, country },
          guestIdentifier: ordering.demo.externalId,
        },
      },
    },
  );
  if (payment.state !== 'AUTHORIZED') throw new Error(`a demo payment is ${payment.state}`);
  return paymentUuid;
}

const POSTAL_CODE = '60625';

async function take(step: DemoStep, ordering: Ordering, placed: Order): Promise<void> {
  const operation = `backOffice.orders.${step.does === 'payCash' ? 'payments.add' : step.does}`;
  const decide = decisionOf(step, ordering, placed);
  await decideAs(ordering, placed, ordering.orderers.orders, operation, decide);
}

function decisionOf(step: DemoStep, { restaurant }: Ordering, placed: Order): Decide {
  switch (step.does) {
    case 'ready':
      return ready(null);
    case 'fulfil':
      return fulfil;
    case 'reject':
      return reject(step.reason);
    case 'void':
      return voidOrder(step.reason, null);
    case 'payCash': {
      const [check] = placed.checks;
      const cash = { type: 'CASH', amount: check?.totalAmount ?? 0 } as const;
      const payment = readCounterPayment(cash, restaurant.currencyCode, new Faults(NO_STATUSES));
      return pay(check?.guid ?? '', payment);
    }
  }
}

async function decideAs(
  ordering: Ordering,
  { guid }: Order,
  client: DemoClient,
  operation: string,
  decide: Decide,
): Promise<void> {
  const { deps, restaurant } = ordering;
  const key = { restaurantGuid: restaurant.guid, orderGuid: guid ?? '' };
  await decideOrder(deps, key, originOf(ordering, client, operation), decide);
}

function originOf({ deps }: Ordering, { clientId }: DemoClient, operation: string): ChangeOrigin {
  return { ...systemOrigin(deps, 'demo', operation), by: clientId };
}
