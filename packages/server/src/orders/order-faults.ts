import { type ErrorClass, errorClasses } from '@servery/contract';
import type { DocumentFault } from '../document/faults.ts';
import type { FaultPath, Faults } from '../http/faults.ts';
import { type OrderRefusal, OrderRefused, orderRefusals } from './order-observer.ts';

const AT_MOST = 100;

export const notThere = (faults: Faults, path: FaultPath, message: string) =>
  faults.addOfClass('notFound', path, message);

export const conflicting = (faults: Faults, path: FaultPath, message: string) =>
  faults.addOfClass('conflict', path, message);

/**
 * ORD-2: throws all faults at once. The answer is 400 if any fault is one, else 404, else 409.
 */
export function refuseOrder(faults: Faults): void {
  if (faults.count === 0) return;
  const classes = new Set<ErrorClass>(
    faults.kept.map(({ errorClass = 'badRequest' }) => errorClass),
  );
  const [errorClass = 'badRequest'] = [...classes].sort(
    (one, other) => rankOf(one) - rankOf(other),
  );
  const told = faults.told().slice(0, AT_MOST);
  const reasons = new Set(faults.kept.map(reasonOf));
  const reason = orderRefusals.find((one) => reasons.has(one)) ?? 'invalid';
  throw new OrderRefused(reason, errorClass, `${faults.summary()} Nothing was stored.`, {
    faults: told.map((fault) => ({ ...fault, errorClass: fault.errorClass ?? 'badRequest' })),
  });
}

function reasonOf({ kind, path, errorClass }: DocumentFault): OrderRefusal {
  if (path.includes('payments')) return 'payment';
  if (kind === 'outOfStock') return 'outOfStock';
  if (errorClass === 'notFound') return 'unknown';
  return errorClass === 'conflict' ? 'repeated' : 'invalid';
}

const rankOf = (errorClass: ErrorClass) => [400, 404, 409].indexOf(errorClasses[errorClass].status);

/** `checks[0].selections[2]` as a path. */
export function pathOf(place: string): (string | number)[] {
  return place
    .split(/[.[\]]+/)
    .filter((step) => step !== '')
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}
