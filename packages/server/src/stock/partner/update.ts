import type { MenuItemInventoryUpdate } from '@servery/contract';
import type { Clock } from '@servery/support/clock.ts';
import type { Vault } from '@servery/support/secret.ts';
import { attestEntries, originOf } from '../../audit/origin.ts';
import type { Database } from '../../database/database.ts';
import { type Faults, hasSound } from '../../http/faults.ts';
import { tellingEveryElement } from '../../http/look-further.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { applyChanges, type StockChange } from '../apply-changes.ts';
import type { ItemIdentifier } from '../items.ts';
import { wantedLevel, type ZeroQuantity } from '../level.ts';

export interface UpdateStockDeps {
  readonly database: Database;
  readonly realClock: Clock;
  readonly vault: Pick<Vault, 'digest'>;
  readonly zeroQuantity: ZeroQuantity;
}

export function updateStockHandler(deps: UpdateStockDeps): HandlerOf<'stock.update'> {
  const attest = attestEntries(deps.vault);
  return tellingEveryElement(async (request) => {
    const { restaurant, body, faults, principal } = request;
    const changes = body.flatMap((element, index): StockChange[] => {
      const isSound = (...fields: string[]) => hasSound(faults, [index], element, fields);
      const item = isSound('guid', 'multiLocationId') ? identifierOf(element, faults, index) : null;
      const level = isSound('status', 'quantity')
        ? wantedLevel(element, deps.zeroQuantity, faults, [index])
        : null;
      return item && level ? [{ item, level }] : [];
    });
    faults.refuse('Nothing was changed.');
    const origin = originOf({ ...request, by: principal.clientId, attest }, deps.realClock);
    return { json: await applyChanges(deps, restaurant.guid, changes, origin, faults) };
  });
}

function identifierOf(
  { guid = null, multiLocationId = null }: MenuItemInventoryUpdate,
  faults: Faults,
  index: number,
): ItemIdentifier | null {
  if (guid === null && multiLocationId === null) {
    faults.addMissing([index], 'names no item: send guid or multiLocationId');
    return null;
  }
  if (multiLocationId === '') faults.add([index, 'multiLocationId'], 'must not be empty');
  return { guid, multiLocationId };
}
