import type { OrderMove } from '@servery/contract';
import { ApiError } from '../../http/errors.ts';
import type { Deciding } from './decide.ts';
import { legalMoves } from './statuses.ts';

/** What the state forbids, with what it allows. */
export function illegal(
  { order, payments }: Pick<Deciding, 'order' | 'payments'>,
  move: OrderMove,
  why = stateOf(order),
): ApiError {
  const legal = legalMoves(order, payments);
  const next = legal.length > 0 ? `Legal now: ${legal.join(', ')}.` : 'Nothing is legal now.';
  return new ApiError('conflict', `${why}, so ${move} is not possible. ${next}`);
}

function stateOf(order: Deciding['order']): string {
  if (order.voidedAt) return 'The order was voided';
  if (order.fulfilledAt) return 'The order was fulfilled';
  return `The order is ${order.approvalStatus} and ${order.guestStatus}`;
}
