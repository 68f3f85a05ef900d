import { type BusinessDay, closeOutAfter } from '../../payments/due/close-out.ts';
import type { OrderRow, OrderSelection } from '../order.ts';
import type { OrderSettings } from '../order-deps.ts';

export type KitchenSettings = Pick<OrderSettings, 'autoFulfil' | 'kitchen'>;

/** What the clock does about an order by itself. */
export type DueKind = 'approve' | 'expire' | 'send' | 'ready' | 'fulfil' | 'closeOut';

export interface DueStep {
  readonly kind: DueKind;
  readonly atMs: number;
}

const MINUTE_MS = 60_000;

/** ORD-56. */
const APPROVAL_MS = 15 * MINUTE_MS;

/** A simulated kitchen hands an order over this long after it is ready. */
const HAND_OVER_MS = 5 * MINUTE_MS;

type Order = Omit<OrderRow, 'dueAt'>;

/** The next thing that the clock does about an order, if any. */
export function nextStep(
  order: Order,
  restaurant: BusinessDay,
  settings: KitchenSettings,
): DueStep | null {
  if (order.voidedAt || order.fulfilledAt) return null;
  const isSimulated = settings.kitchen === 'simulated';
  if (order.approvalStatus === 'NEEDS_APPROVAL') {
    const createdMs = order.createdAt.getTime();
    return isSimulated
      ? { kind: 'approve', atMs: createdMs }
      : { kind: 'expire', atMs: createdMs + APPROVAL_MS };
  }
  const steps = [
    sending(order),
    ...(isSimulated ? [simulated(order)] : []),
    ...(settings.autoFulfil === 'closeOut' ? [closingOut(order, restaurant)] : []),
  ];
  return steps.reduce(
    (first, step) => (step && (!first || step.atMs < first.atMs) ? step : first),
    null,
  );
}

export function dueOf(
  order: Order,
  restaurant: BusinessDay,
  settings: KitchenSettings,
): Date | null {
  const step = nextStep(order, restaurant, settings);
  return step && new Date(step.atMs);
}

function sending(order: Order): DueStep | null {
  const waits =
    order.approvalStatus === 'FUTURE' ||
    selectionsOf(order).some(({ fulfillmentStatus }) => fulfillmentStatus === 'NEW');
  return waits ? { kind: 'send', atMs: order.fireAt.getTime() } : null;
}

/** What is on hold waits for a person. */
function simulated(order: Order): DueStep | null {
  const selections = selectionsOf(order);
  const isAll = (...statuses: readonly string[]) =>
    selections.every(({ fulfillmentStatus: status }) => statuses.includes(status ?? ''));
  const lastMs = Math.max(
    order.fireAt.getTime(),
    ...selections.map(({ modifiedAtMs }) => modifiedAtMs),
  );
  if (isAll('READY')) return { kind: 'fulfil', atMs: lastMs + HAND_OVER_MS };
  if (!isAll('READY', 'SENT')) return null;
  return { kind: 'ready', atMs: lastMs + order.content.prepMinutes * MINUTE_MS };
}

/** ORD-49. */
function closingOut(order: Order, restaurant: BusinessDay): DueStep | null {
  if (order.content.closedOutAtMs !== null) return null;
  const { openedAt, promisedAt } = order;
  const latestMs = Math.max(openedAt.getTime(), promisedAt?.getTime() ?? 0);
  return { kind: 'closeOut', atMs: closeOutAfter(latestMs, restaurant) };
}

/** Top-level selections that were not voided. */
export function selectionsOf({ content }: Pick<Order, 'content'>): OrderSelection[] {
  return content.checks
    .flatMap(({ selections }) => selections)
    .filter(({ voidedAtMs }) => voidedAtMs === null);
}
