import { machineTimer, type Timer } from '@servery/support/timer.ts';
import type { HandlersOf } from '../../http/operation.ts';
import { createUnderWay, type UnderWay } from '../authorize/under-way.ts';
import { type CardKeyCache, createCardKeyring } from '../cards/keyring.ts';
import { type AuthorizePaymentDeps, authorizePaymentHandler } from './authorize.ts';
import { listCardEncryptionKeysHandler } from './card-encryption-keys-list.ts';

export interface PaymentDeps extends Omit<AuthorizePaymentDeps, 'keyring' | 'timer' | 'underWay'> {
  /** Without it, the database is read for each request. */
  readonly cardKeys?: CardKeyCache;
  readonly timer?: Timer;
  /** To wait for payments under way before the database closes. */
  readonly underWay?: UnderWay;
}

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
