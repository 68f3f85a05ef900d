import type { PreparedSecret } from '@servery/webhooks';
import type { ClaimedDelivery } from '../delivery/due-delivery-store.ts';
import type { OpenedSecrets } from './opened-secrets.ts';

export interface Ready {
  readonly claimed: ClaimedDelivery;
  readonly secrets: readonly PreparedSecret[];
}

export interface Broken {
  readonly error: unknown;
  readonly claimed: readonly [ClaimedDelivery, ...ClaimedDelivery[]];
}

export function makeReady(
  secrets: OpenedSecrets,
  claimed: readonly ClaimedDelivery[],
  nowMs: number,
): { readonly ready: readonly Ready[]; readonly broken: readonly Broken[] } {
  const broken = new Map<
    string,
    { readonly error: unknown; readonly claimed: [ClaimedDelivery, ...ClaimedDelivery[]] }
  >();
  const ready: Ready[] = [];
  for (const delivery of claimed) {
    const known = broken.get(delivery.endpointGuid);
    if (known) {
      known.claimed.push(delivery);
      continue;
    }
    try {
      ready.push({ claimed: delivery, secrets: secrets.of(delivery, nowMs) });
    } catch (error) {
      broken.set(delivery.endpointGuid, { error, claimed: [delivery] });
    }
  }
  return { ready, broken: [...broken.values()] };
}
