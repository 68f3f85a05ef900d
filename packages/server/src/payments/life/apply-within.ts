import { newGuid } from '@servery/support/ids.ts';
import type { Sql } from '../../database/database.ts';
import { insertMove } from './move-store.ts';
import { makeMove, movedPayment } from './outcome.ts';
import type { PaymentRow } from './store.ts';

/**
 * Applies a payment to a check as a part of the transaction of its order. False if somebody else
 * moved the payment since it was read: the transaction must then be undone.
 */
export async function applyWithin(
  sql: Sql,
  payment: PaymentRow,
  checkGuid: string,
  { nowMs, by }: { readonly nowMs: number; readonly by: string },
): Promise<boolean> {
  const move = makeMove('appliedToCheck', nowMs, { change: { checkGuid }, details: { by } });
  const after = movedPayment(payment, move);
  const [moved] = await insertMove(sql, payment, after, { ...move, guid: newGuid() });
  return moved !== undefined;
}
