import type { StockSetting } from '@servery/contract';
import { type FaultPath, type Faults, hasSound } from '../http/faults.ts';
import { parseInstant } from '../text/instant.ts';
import { type ItemNaming, namingWays } from './identify.ts';
import { type StockLevel, wantedLevel, type ZeroQuantity } from './level.ts';

type Until = { readonly atMs: number } | 'closeOut';

/** Null fields were wrong; the faults name them. */
export interface Setting {
  readonly path: FaultPath;
  readonly naming: ItemNaming | null;
  readonly level: StockLevel | null;
  readonly until: Until | null;
}

export function settingsOf(
  changes: readonly StockSetting[],
  zeroQuantity: ZeroQuantity,
  faults: Faults,
): Setting[] {
  return changes.map((change, index) => {
    const path = ['changes', index];
    const isSound = (...fields: readonly string[]) => hasSound(faults, path, change, fields);
    const naming = isSound(...namingWays) ? namingOf(change, faults, path) : null;
    const level = isSound('status', 'quantity')
      ? wantedLevel(change, zeroQuantity, faults, path)
      : null;
    const until = isSound('until') ? untilOf(change, level, faults, path) : null;
    return { path, naming, level, until };
  });
}

function namingOf(change: StockSetting, faults: Faults, path: FaultPath): ItemNaming | null {
  const { guid = null, multiLocationId = null, sku = null, plu = null, name = null } = change;
  const naming = { guid, multiLocationId, sku, plu, name };
  const given = namingWays.filter((way) => naming[way] !== null);
  if (given.length === 0) {
    faults.addMissing(path, 'names no item: send guid, multiLocationId, sku, plu, or name');
  }
  const blank = given.filter((way) => naming[way]?.trim() === '');
  for (const way of blank) faults.add([...path, way], 'must not be blank');
  return given.length > 0 && blank.length === 0 ? naming : null;
}

function untilOf(
  { until = null }: StockSetting,
  level: StockLevel | null,
  faults: Faults,
  path: FaultPath,
): Until | null {
  if (until === null) return null;
  if (level && level.status !== 'OUT_OF_STOCK') {
    const message = `is not allowed with ${level.status}: only an item that is OUT_OF_STOCK can return by itself`;
    faults.add([...path, 'until'], message);
    return null;
  }
  if (until === 'closeOut') return until;
  const atMs = parseInstant(until);
  if (atMs !== null) return { atMs };
  faults.add(
    [...path, 'until'],
    'must be closeOut or an instant, for example 2026-01-31T18:30:00.000Z',
  );
  return null;
}
