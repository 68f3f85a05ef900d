import type { ClaimedDelivery } from './due-delivery-store.ts';

/** What goes wrong with an attempt because somebody ordered it in a sandbox. */
export type DeliveryFault = {
  /** As in the header that injects a fault: `delayedEvent=PT1M`. */
  readonly name: string;
} & (
  | { readonly kind: 'duplicate' | 'wrongSignature' | 'lost' }
  | { readonly kind: 'hold'; readonly delayMs: number }
);

export interface DeliveryFaults {
  /** Call it after a claim: a fault may have been ordered just before the event. */
  read(): Promise<void>;
  take(claimed: ClaimedDelivery): Promise<DeliveryFault | null>;
}
