import type { Clock } from '@servery/support/clock.ts';
import type { Vault } from '@servery/support/secret.ts';
import { attestEntries } from '../audit/origin.ts';
import type { Database } from '../database/database.ts';
import { type Answers, renewableAnswer } from '../http/fast/cached-answer.ts';
import { listInTurns } from '../http/list-in-turns.ts';
import type { OperationHandlers } from '../http/operation.ts';
import { invalidElement, itemResolver, levelOf, listNamedItems, validElement } from './items.ts';
import type { KnownStock } from './known-items.ts';
import { readSearch, readStatusFilter, readUpdate, type ZeroQuantity } from './rules.ts';
import { listItems, listStock } from './store.ts';
import { applyChanges } from './update.ts';

/** What the stock interface needs from outside. */
export interface StockDeps {
  readonly database: Database;
  readonly answers: Answers;
  readonly knownStock: KnownStock;
  readonly realClock: Clock;
  /** Attests what is written into the record of changes. */
  readonly vault: Pick<Vault, 'digest'>;
  /** The switch `stock.zeroQuantity` (decisions STK-7). */
  readonly zeroQuantity: ZeroQuantity;
}

/** The three operations of the stock interface (decisions STK-1–STK-9). */
export function stockHandlers(
  deps: StockDeps,
): Pick<OperationHandlers, 'stock.list' | 'stock.search' | 'stock.update'> {
  const attest = attestEntries(deps.vault);
  return {
    'stock.list': async ({ restaurant: { guid }, query }) => {
      const status = readStatusFilter(query.status);
      const subjects = [`stock:${guid}`, `configuration:${guid}`] as const;
      return await renewableAnswer(deps.answers, ['stock', guid, status], subjects, async () => {
        const items = await listStock(deps.database.sql, guid, status);
        return { json: items.map((item) => validElement(item, levelOf(item))) };
      });
    },
    'stock.search': async ({ restaurant, body }) => {
      const wanted = readSearch(body);
      const resolve = itemResolver(
        await listNamedItems(deps.database, restaurant.guid, wanted, listItems),
      );
      return await listInTurns(wanted, (identifier) => {
        const found = resolve(identifier);
        return found.kind === 'item'
          ? validElement(found.item, levelOf(found.item))
          : invalidElement(identifier);
      });
    },
    'stock.update': async ({ restaurant, body, nowMs, principal, requestId, operation }) => {
      const changes = readUpdate(body, deps.zeroQuantity);
      const origin = {
        by: principal.clientId,
        requestId,
        operation: operation.id,
        at: new Date(nowMs),
        realAt: new Date(deps.realClock.nowMs()),
        attest,
      };
      return { json: await applyChanges(deps, restaurant.guid, changes, origin) };
    },
  };
}
