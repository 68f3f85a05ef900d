import type { Clock } from '@servery/support/clock.ts';
import type { Vault } from '@servery/support/secret.ts';
import type { Database } from '../database/database.ts';
import type { Principal } from '../http/operation.ts';
import type { FindConfiguration } from './configuration.ts';
import type { OrderObserver } from './order-observer.ts';
import type { PercentTaxBasis } from './price/price-order.ts';
import type { PublishedRestaurant } from './published-store.ts';
import type { PublishedMenus } from './read-order/menu-index.ts';

/** The settings of chapter "Orders" in the reference. */
export interface OrderSettings {
  readonly stock: 'enforce' | 'ignore';
  readonly repeat: 'conflict' | 'replay';
  readonly percentTaxBasis: PercentTaxBasis;
  readonly autoFulfil: 'closeOut' | 'never';
  /** Who works in the kitchen of each restaurant; `simulated` only in a sandbox. */
  readonly kitchen: 'staff' | 'simulated';
}

export interface OrderDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly realClock: Clock;
  readonly vault: Pick<Vault, 'digest' | 'environment'>;
  readonly observer?: OrderObserver;
  readonly orderSettings: OrderSettings;
  /**
   * As it was at the last change that this process knows of. Under the lock, an order compares what
   * its prices and dates go by.
   */
  readonly restaurantOf: (guid: string) => Promise<PublishedRestaurant | null>;
  readonly findConfiguration: FindConfiguration;
  /** Null if the restaurant has no published menu. */
  readonly menusOf: (restaurant: PublishedRestaurant) => Promise<PublishedMenus | null>;
}

/** The partner or the management group of an account: whose orders those of the account are. */
export function ownerOf({ partnerGuid, managementGroupGuid }: Principal): string {
  const owner = partnerGuid ?? managementGroupGuid;
  if (owner === null) throw new Error('an account without a partner or group was let in');
  return owner;
}
