import { NotChecked } from './not-checked.ts';
import type { ExpectedOperation } from './operations.ts';
import type { ConformLevel } from './settings.ts';

/** The interfaces of the contract. Everything else is this product's own. */
const CONTRACT = /^(auth|configuration|creditCards|menus|orders|partners|restaurants|stock)\./;
/** They change nothing, although they are no GET. */
const READS =
  /^(auth\.(login|token|introspect)|stock\.search|orders\.(price|applicableDiscounts))$/;

/** Throws NotChecked for a call that goes further than the level allows. */
export function refuseBeyondLevel(
  level: ConformLevel | undefined,
  { id, method: own }: ExpectedOperation,
  method: string,
): void {
  if (level === undefined || level === 'full') return;
  if (!CONTRACT.test(id)) throw new NotChecked(`${id} is not in the contract: only --level full`);
  const isRead = method === 'GET' || (READS.test(id) && method === own);
  if (level === 'read' && !isRead) {
    throw new NotChecked(`${method} of ${id} may change something: only --level write`);
  }
}
