import type { OrderMove } from '@servery/contract';
import { ApiError } from '../../http/errors.ts';
import type { OrderContent, OrderRow, OrderSelection } from '../order.ts';
import type { Decide, Deciding, Decision } from './decide.ts';
import { selectionsOf } from './due.ts';
import { illegal } from './refuse.ts';

type Status = NonNullable<OrderSelection['fulfillmentStatus']>;

/** Approves an order: it goes to the kitchen when it is time (ORD-56). */
export const approve: Decide = async (deciding) => {
  const { order, nowMs } = deciding;
  const { approvalStatus, voidedAt } = order;
  if (voidedAt) throw illegal(deciding, 'approve');
  if (approvalStatus !== 'NEEDS_APPROVAL') return null;
  if (order.fireAt.getTime() > nowMs) {
    return { cause: 'approved', row: { approvalStatus: 'FUTURE' } };
  }
  return { ...sent(order, ['NEW'], null, nowMs), cause: 'approved' };
};

/** What the clock does at the fire time. What is on hold stays there. */
export const sendByClock: Decide = async ({ order, nowMs }) => ({
  ...sent(order, ['NEW'], null, nowMs),
  cause: 'sent',
});

export const fire = (selectionGuids: readonly string[] | null): Decide =>
  preparing(
    'fire',
    { from: ['NEW', 'HOLD'], to: 'SENT', isDone: ['SENT', 'READY'] },
    selectionGuids,
    (deciding, guids) => ({
      ...sent(deciding.order, ['NEW', 'HOLD'], guids, deciding.nowMs),
      cause: 'sent',
    }),
  );

export const hold = (selectionGuids: readonly string[] | null): Decide =>
  preparing(
    'hold',
    { from: ['NEW'], to: 'HOLD', isDone: ['HOLD'] },
    selectionGuids,
    ({ order, nowMs }, guids) => ({
      cause: 'held',
      content: withStatus(order.content, 'HOLD', { from: ['NEW'], guids, nowMs }),
    }),
  );

export const ready = (selectionGuids: readonly string[] | null): Decide =>
  preparing(
    'ready',
    { from: ['NEW', 'SENT'], to: 'READY', isDone: ['READY'] },
    selectionGuids,
    ({ order, nowMs }, guids) => ({
      cause: 'ready',
      content: withStatus(order.content, 'READY', { from: ['NEW', 'SENT'], guids, nowMs }),
      row: { approvalStatus: 'APPROVED' },
    }),
  );

interface Step {
  readonly from: readonly Status[];
  readonly to: Status;
  /** Statuses in which nothing is left to do. */
  readonly isDone: readonly Status[];
}

function preparing(
  move: Extract<OrderMove, 'fire' | 'hold' | 'ready'>,
  { from, isDone }: Step,
  selectionGuids: readonly string[] | null,
  decide: (deciding: Deciding, guids: ReadonlySet<string> | null) => Decision,
): Decide {
  return async (deciding) => {
    const { order } = deciding;
    const named = selectionGuids && namedIn(order, selectionGuids);
    const about = selectionsOf(order).filter(({ guid }) => !named || named.has(guid));
    const isIn = (statuses: readonly Status[]) => (selection: OrderSelection) =>
      statuses.some((status) => status === selection.fulfillmentStatus);
    if (order.voidedAt) throw illegal(deciding, move);
    const isUnapproved = move !== 'hold' && order.approvalStatus === 'NEEDS_APPROVAL';
    if (isUnapproved) throw illegal(deciding, move);
    const wrong = named && about.find((one) => !isIn(from)(one) && !isIn(isDone)(one));
    if (wrong) {
      const why = `The selection ${wrong.guid} is ${wrong.fulfillmentStatus}`;
      throw illegal(deciding, move, why);
    }
    if (about.some(isIn(from))) {
      const { details, ...decision } = decide(deciding, named);
      return {
        ...decision,
        details: { ...details, selectionGuids: guidsOf(about.filter(isIn(from))) },
      };
    }
    if (about.length > 0 && about.some(isIn(isDone))) return null;
    throw illegal(deciding, move);
  };
}

const guidsOf = (selections: readonly OrderSelection[]) => selections.map(({ guid }) => guid);

function namedIn(order: OrderRow, selectionGuids: readonly string[]): ReadonlySet<string> {
  const known = new Map(
    order.content.checks.flatMap(({ selections }) => selections).map((one) => [one.guid, one]),
  );
  const named = new Set(selectionGuids.map((guid) => guid.toLowerCase()));
  for (const guid of named) {
    const selection = known.get(guid);
    if (!selection) {
      throw new ApiError(
        'notFound',
        `The order has no top-level selection ${guid}: check selectionGuids.`,
      );
    }
    if (selection.voidedAtMs !== null) {
      throw new ApiError('conflict', `The selection ${guid} was voided: leave it out.`);
    }
  }
  return named;
}

function sent(
  order: OrderRow,
  from: readonly Status[],
  guids: ReadonlySet<string> | null,
  nowMs: number,
): Omit<Decision, 'cause'> {
  return {
    content: withStatus(order.content, 'SENT', { from, guids, nowMs }),
    row: { approvalStatus: 'APPROVED' },
  };
}

interface Which {
  readonly from: readonly Status[];
  /** Null for all. */
  readonly guids: ReadonlySet<string> | null;
  readonly nowMs: number;
}

/** Modifiers go with what they are put on. */
export function withStatus(
  content: OrderContent,
  status: Status,
  { from, guids, nowMs }: Which,
): OrderContent {
  const isMeant = ({ guid, voidedAtMs, fulfillmentStatus }: OrderSelection) =>
    voidedAtMs === null &&
    (!guids || guids.has(guid)) &&
    from.some((one) => one === fulfillmentStatus);
  const checks = content.checks.map((check) => {
    if (!check.selections.some(isMeant)) return check;
    const selections = check.selections.map((selection) =>
      isMeant(selection) ? { ...selection, ...prepared(selection, status, nowMs) } : selection,
    );
    return { ...check, selections, modifiedAtMs: nowMs };
  });
  return { ...content, checks };
}

function prepared<Part extends Pick<OrderSelection, 'modifiers'>>(
  part: Part,
  fulfillmentStatus: Status,
  modifiedAtMs: number,
): Part {
  const modifiers = part.modifiers.map((each) => prepared(each, fulfillmentStatus, modifiedAtMs));
  return { ...part, fulfillmentStatus, modifiedAtMs, modifiers };
}
