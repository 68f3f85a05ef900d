import { machineTimer, type Timer } from '@servery/support/timer.ts';
import type { HandlersOf } from '../../http/operation.ts';
import { createUnderWay, type UnderWay } from '../authorize/under-way.ts';
import { type CardKeyCache, createCardKeyring } from '../cards/keyring.ts';
import { type AuthorizePaymentDeps, authorizePaymentHandler } from './authorize.ts';
import { listCardEncryptionKeysHandler } from './card-encryption-keys-list.ts';
import { getOwnPaymentHandler } from './get.ts';
import { voidOwnPaymentHandler } from './void.ts';

export interface PaymentDeps extends Omit<AuthorizePaymentDeps, 'keyring' | 'timer' | 'underWay'> {
  /** Without it, the database is read for each request. */
  readonly cardKeys?: CardKeyCache;
  readonly timer?: Timer;
  /** To wait for payments under way before the database closes. */
  readonly underWay?: UnderWay;
}

export const paymentHandlers = (
  given: PaymentDeps,
): HandlersOf<'creditCards.' | `platform.${'cardEncryptionKeys' | 'payments'}.`> => {
  const deps = { ...given, timer: given.timer ?? machineTimer };
  return {
    'creditCards.authorize': authorizePaymentHandler({
      ...deps,
      keyring: createCardKeyring(deps.database.sql, deps.vault, deps.cardKeys),
      underWay: deps.underWay ?? createUnderWay(),
    }),
    'platform.cardEncryptionKeys.list': listCardEncryptionKeysHandler(deps),
    'platform.payments.get': getOwnPaymentHandler(deps),
    'platform.payments.void': voidOwnPaymentHandler(deps),
  };
};
