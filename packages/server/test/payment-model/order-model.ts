/**
 * The life of an order as spec/orders.md tells it (ORD-48, 49, 56 to 60, section 7). It takes nothing
 * from the program, because it checks the program.
 */
import type { SeenOrder, SeenOrderEvent } from './history-store.ts';
import { type BusinessDay, closeOutsAfter, SOUP_MINOR } from './model.ts';

/** What staff can decide, as operations name it. */
export const staffMoves = [
  ...['approve', 'reject', 'fire', 'hold', 'ready', 'fulfil', 'void'],
  ...['payments.add', 'payments.void', 'selections.void'],
] as const;
export type StaffMove = (typeof staffMoves)[number];

/** Who may have asked for an event of an order, by the word that it has there. */
const ASKED_AS: Readonly<Record<string, readonly string[]>> = {
  placed: ['place'],
  paymentsAdded: ['addPayment'],
  tipChanged: ['orderTip'],
  approved: ['approve'],
  rejected: ['reject'],
  sent: ['fire'],
  held: ['hold'],
  ready: ['ready'],
  fulfilled: ['fulfil'],
  paid: ['payments.add'],
  paymentVoided: ['payments.void'],
  selectionVoided: ['selections.void'],
  voided: ['void', 'voidOrder'],
};

const BY_CLOCK = 'system:clock';
/** Nobody approved an order for so long. */
const APPROVAL_MS = 15 * 60_000;

/** Moves of a payment by itself, which its order tells of. */
const FOLLOWED = [
  ...['captureTimeReached', 'captureRequested', 'captureAcknowledged', 'captureDeclined'],
  ...['captureDeadlinePassed', 'voidAcknowledged', 'voidDeclined', 'foundCaptured', 'holdNotFound'],
];
/** Moves that orders make themselves, and that another orders system may make, too. */
const FOLLOWED_IF_OUTSIDE = ['voidedOnPointOfSale', 'tipChanged'];

type Cooked = 'NEW' | 'HOLD' | 'SENT' | 'READY';

interface ModelSelection {
  status: Cooked;
  isVoided: boolean;
}

/** An order as the words of its history make it. */
export interface ModelOrder {
  approval: string;
  isFulfilled: boolean;
  isVoided: boolean;
  isClosedOut: boolean;
  readonly selections: Map<string, ModelSelection>;
}

export interface OrderWorld {
  readonly day: BusinessDay;
  readonly isManual: boolean;
  /** Who asks as another orders system. */
  readonly outside: string;
  wasAsked(orderGuid: string, kind: string): boolean;
}

const given = ['VOID_PENDING', 'VOIDED'];
const tippable = ['APPLIED', 'CAPTURE_SCHEDULED'];
const takenStates = ['CAPTURE_SCHEDULED', 'CAPTURE_PENDING', 'CAPTURED', 'REVIEW'];

/** Plays the history of an order; tells what must not be in it. */
export function replay(order: SeenOrder, world: OrderWorld, fail: (text: string) => void) {
  const model: ModelOrder = {
    ...{ approval: world.isManual ? 'NEEDS_APPROVAL' : 'APPROVED', isFulfilled: false },
    ...{ isVoided: false, isClosedOut: false },
    selections: new Map(
      order.selections.map(({ guid }) => [guid, { status: 'NEW', isVoided: false }]),
    ),
  };
  for (const [index, event] of order.events.entries()) {
    if (event.version !== index + 1) fail(`version ${event.version} stands at ${index + 1}`);
    if ((event.cause === 'placed') !== (index === 0)) fail(`${event.cause} at ${index + 1}`);
    const fault = refused(order, model, event, world);
    if (fault) fail(`${event.cause} (v${event.version}): ${fault}`);
    apply(order, model, event);
  }
  return model;
}

/** Why an event must not be there; null if it may. */
function refused(
  order: SeenOrder,
  model: ModelOrder,
  event: SeenOrderEvent,
  { day, wasAsked }: OrderWorld,
): string | null {
  const { cause, by, atMs } = event;
  if (model.isVoided && cause !== 'paymentMoved') return 'ORD-59: the order was voided';
  if (cause === 'paymentMoved') return null;
  if (cause === 'expired') {
    if (by !== BY_CLOCK || model.approval !== 'NEEDS_APPROVAL') return 'ORD-56: it was approved';
    return atMs < order.createdAtMs + APPROVAL_MS ? 'ORD-56: too early' : null;
  }
  if (cause === 'closedOut') {
    if (model.isFulfilled || model.isClosedOut) return 'ORD-49: nothing was left to close out';
    if (by !== BY_CLOCK || model.approval === 'NEEDS_APPROVAL') return 'ORD-49: not approved';
    return atMs < closeOutsAfter(order.openedAtMs, day).fromMs ? 'ORD-49: too early' : null;
  }
  const isByClock = by === BY_CLOCK;
  if (isByClock && cause !== 'sent') return 'the clock decides no such thing';
  const asked = ASKED_AS[cause];
  if (!asked) return 'the model does not know this cause';
  if (!isByClock && !asked.some((kind) => wasAsked(order.guid, kind))) return 'nobody asked for it';
  const isUnapproved = model.approval === 'NEEDS_APPROVAL';
  const cooks = ['sent', 'ready', 'fulfilled'].includes(cause);
  if (cooks && isUnapproved) return 'ORD-56: the order was not approved';
  if (['approved', 'rejected'].includes(cause) && !isUnapproved) return 'ORD-56: it was approved';
  if (['fulfilled', 'voided', 'paymentVoided'].includes(cause) && model.isFulfilled) {
    return 'ORD-60: the order was fulfilled';
  }
  return null;
}

const moveTo: Readonly<Record<string, { from: readonly Cooked[]; to: Cooked }>> = {
  held: { from: ['NEW'], to: 'HOLD' },
  ready: { from: ['NEW', 'SENT'], to: 'READY' },
};

function apply(order: SeenOrder, model: ModelOrder, event: SeenOrderEvent) {
  const { cause, by, details } = event;
  const cook = (from: readonly Cooked[], to: Cooked, guids: readonly string[] | null) => {
    for (const [guid, selection] of model.selections) {
      const isMeant = !selection.isVoided && (guids?.includes(guid) ?? true);
      if (isMeant && from.includes(selection.status)) selection.status = to;
    }
  };
  const end = () => {
    model.isVoided = true;
    for (const selection of model.selections.values()) selection.isVoided = true;
  };
  const isByStaff = order.events.some((one) => one.cause === 'fulfilled');
  const isPaid = order.fulfilledAtMs !== null && !isByStaff;
  const isDone = cause === 'fulfilled' || (cause === 'closedOut' && isPaid);
  const named = details?.selectionGuids ?? null;
  if (cause === 'approved' && waits(order, model, event)) model.approval = 'FUTURE';
  else if (cause === 'approved' || cause === 'sent') {
    cook(by === BY_CLOCK || cause === 'approved' ? ['NEW'] : ['NEW', 'HOLD'], 'SENT', named);
    model.approval = 'APPROVED';
  }
  // What is ready or with the guest was made, whenever its time was.
  if (cause === 'ready' || isDone) model.approval = 'APPROVED';
  const move = moveTo[cause];
  if (move) cook(move.from, move.to, named);
  if (cause === 'closedOut') model.isClosedOut = true;
  if (isDone) {
    cook(['NEW', 'HOLD', 'SENT'], 'READY', null);
    model.isFulfilled = true;
  }
  if (cause === 'selectionVoided') {
    const selection = model.selections.get(details?.selectionGuid ?? '');
    if (selection) selection.isVoided = true;
  }
  if (['voided', 'rejected', 'expired'].includes(cause)) end();
  if (['rejected', 'expired'].includes(cause)) model.approval = 'NOT_APPROVED';
}

/** Whether the clock went back, so that an approved order is sent later: then something is new. */
function waits({ approval, events }: SeenOrder, { selections }: ModelOrder, at: SeenOrderEvent) {
  if (approval === 'FUTURE') return true;
  const isNew = (guid: string) => selections.get(guid)?.status === 'NEW';
  return events.some(
    ({ version, cause, by, details }) =>
      version > at.version &&
      ['sent', 'held'].includes(cause) &&
      (by === BY_CLOCK || details?.selectionGuids?.some(isNew)),
  );
}

/** ORD-57, of an order with one check. */
export function checkStatus({ payments }: SeenOrder, model: ModelOrder): string {
  if (model.isVoided) return 'OPEN';
  const valid = payments.filter((one) => !isGivenUp(one));
  const paidMinor = valid.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  if (totalOf(model) > paidMinor || (valid.length === 0 && !model.isFulfilled)) return 'OPEN';
  const mayBeTipped = valid.some(
    ({ type, state, nowTipMinor }) =>
      type === 'CREDIT' && nowTipMinor === 0 && tippable.includes(state ?? ''),
  );
  return mayBeTipped ? 'PAID' : 'CLOSED';
}

export function isGivenUp({ type, state, isVoided }: SeenOrder['payments'][number]): boolean {
  return type === 'CREDIT' ? given.includes(state ?? '') : isVoided;
}

/** Each selection is one soup, without tax. */
export function totalOf({ selections }: ModelOrder): number {
  return (
    SOUP_MINOR *
    selections
      .values()
      .filter(({ isVoided }) => !isVoided)
      .toArray().length
  );
}

/** ORD-58. */
export function guestStatus(model: ModelOrder, paymentStatus: string): string {
  if (model.isVoided) return 'VOIDED';
  if (model.isFulfilled) return paymentStatus === 'OPEN' ? 'READY_FOR_PICKUP' : 'CLOSED';
  const statuses = model.selections
    .values()
    .filter(({ isVoided }) => !isVoided)
    .map(({ status }) => status)
    .toArray();
  if (statuses.length > 0 && statuses.every((status) => status === 'READY')) {
    return 'READY_FOR_PICKUP';
  }
  const isBegun = statuses.some((status) => status === 'SENT' || status === 'READY');
  return isBegun ? 'IN_PREPARATION' : 'RECEIVED';
}

/** ORD-51: what the kitchen had not begun went back. */
export function soldOf({ selections }: ModelOrder): number {
  return selections
    .values()
    .filter(({ isVoided, status }) => !isVoided || status === 'SENT' || status === 'READY')
    .toArray().length;
}

/** PAY-I10: the moves of its payments that the order tells of, and those that it must tell of. */
export function followedMoves(order: SeenOrder, outside: string): [string[], string[]] {
  const told = order.events
    .filter(({ cause }) => cause === 'paymentMoved')
    .map(({ details }) => `${details?.paymentUuid} ${details?.move}`);
  const made = order.payments.flatMap(({ paymentUuid, moves }) => {
    const applied = moves.findIndex(({ cause }) => cause === 'appliedToCheck');
    return moves
      .slice(applied + 1)
      .filter(
        ({ cause, by }) =>
          FOLLOWED.includes(cause) || (FOLLOWED_IF_OUTSIDE.includes(cause) && by === outside),
      )
      .map(({ cause }) => `${paymentUuid} ${cause}`);
  });
  return [told.sort(), made.sort()];
}

export interface About {
  /** Null for all. */
  readonly selectionGuids: readonly string[] | null;
  readonly paymentUuid: string;
}

/** The status of a decision that nothing disturbs. */
export function decide(move: StaffMove, order: SeenOrder, model: ModelOrder, about: About): number {
  const isUnapproved = model.approval === 'NEEDS_APPROVAL';
  const named = about.selectionGuids;
  const chosen = [...model.selections]
    .filter(([guid]) => named?.includes(guid) ?? true)
    .map(([, selection]) => selection);
  /** All that is named must be in one of these statuses; of all, one. */
  const cooked = (...statuses: readonly Cooked[]) => {
    if (model.isVoided || (move !== 'hold' && isUnapproved)) return 409;
    const isIn = ({ isVoided, status }: ModelSelection) => !isVoided && statuses.includes(status);
    return legal(named ? chosen.every(isIn) : chosen.some(isIn));
  };
  const legal = (isLegal: boolean) => (isLegal ? 200 : 409);
  const payment = order.payments.find(({ paymentUuid }) => paymentUuid === about.paymentUuid);
  const isTaken = (one: SeenOrder['payments'][number]) =>
    one.type === 'CREDIT' && takenStates.includes(one.state ?? '');
  switch (move) {
    case 'approve':
      return legal(!model.isVoided);
    case 'reject':
      return legal((isUnapproved && !model.isVoided) || model.approval === 'NOT_APPROVED');
    case 'fire':
      return cooked('NEW', 'HOLD', 'SENT', 'READY');
    case 'hold':
      return cooked('NEW', 'HOLD');
    case 'ready':
      return cooked('NEW', 'SENT', 'READY');
    case 'fulfil':
      return legal(!model.isVoided && !isUnapproved);
    case 'payments.add':
      return legal(!model.isVoided || payment !== undefined);
    case 'payments.void':
      if (!payment) return 404;
      if (isGivenUp(payment)) return 200;
      return legal(!model.isVoided && !model.isFulfilled && !isTaken(payment));
    case 'selections.void':
      return legal(!model.isVoided || chosen.every(({ isVoided }) => isVoided));
    case 'void':
      return legal(model.isVoided || (!model.isFulfilled && !order.payments.some(isTaken)));
  }
}
