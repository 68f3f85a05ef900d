import { machineTimer, type Timer } from '@servery/support/timer.ts';
import type { HandlersOf } from '../../http/operation.ts';
import { createUnderWay, type UnderWay } from '../authorize/under-way.ts';
import { type CardKeyCache, createCardKeyring } from '../cards/keyring.ts';
import { type AuthorizePaymentDeps, authorizePaymentHandler } from './authorize.ts';
import { listCardEncryptionKeysHandler } from './card-encryption-keys-list.ts';

/** What the operations of the credit card interface need, and the list of card keys beside it. */
export interface PaymentDeps extends Omit<AuthorizePaymentDeps, 'keyring' | 'timer' | 'underWay'> {
  /** Which card keys may decrypt is read each time when absent. */
  readonly cardKeys?: CardKeyCache;
  /** The machine's timer when absent. */
  readonly timer?: Timer;
  /** For waiting for the payments under way before the database is closed. */
  readonly underWay?: UnderWay;
}

/** The operations of the credit card interface, and the list of card keys beside it. */
export const paymentHandlers = (
  deps: PaymentDeps,
): HandlersOf<'creditCards.' | 'platform.cardEncryptionKeys.'> => ({
  'creditCards.authorize': authorizePaymentHandler({
    ...deps,
    keyring: createCardKeyring(deps.database.sql, deps.vault, deps.cardKeys),
    timer: deps.timer ?? machineTimer,
    underWay: deps.underWay ?? createUnderWay(),
  }),
  'platform.cardEncryptionKeys.list': listCardEncryptionKeysHandler(deps),
});
