import { isClientId } from '../text/client-id.ts';
import type { Faults } from './faults.ts';

/** Throws ApiError `badRequest` for a filter by a client id that can't be one. */
export function refuseStrangeClientId({
  query: { clientId },
  faults,
}: {
  readonly query: { readonly clientId?: string };
  readonly faults: Faults;
}): void {
  if (clientId !== undefined && !isClientId(clientId)) {
    faults.add(['clientId'], 'must be a client id of this platform');
  }
  faults.refuse();
}
