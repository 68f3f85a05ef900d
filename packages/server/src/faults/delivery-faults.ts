import { faultText } from '@servery/contract';
import type { Database } from '../database/database.ts';
import type { DeliveryFault, DeliveryFaults } from '../webhooks/delivery/delivery-faults.ts';
import type { ClaimedDelivery } from '../webhooks/delivery/due-delivery-store.ts';
import { durationMs, type Fault } from './fault.ts';
import type { FaultRules, TakenFault } from './fault-rules.ts';
import { type ActiveRule, findClientOfEndpoint } from './fault-store.ts';

export interface DeliveryFaultsDeps {
  readonly database: Pick<Database, 'sql'>;
  readonly rules: FaultRules;
}

export function deliveryFaults({ database, rules }: DeliveryFaultsDeps): DeliveryFaults {
  return {
    // Any process may deliver an event, a moment after another was given the rule for it.
    read: () => rules.read(),
    async take(claimed) {
      const isMeant = (rule: ActiveRule) => rule.phase === 'webhooks' && suits(rule.fault, claimed);
      if (!rules.has(isMeant)) return null;
      const { partnerGuid, endpointGuid } = claimed;
      const isPicky = rules.has((rule) => isMeant(rule) && rule.clientId !== null);
      const clientId = isPicky
        ? await findClientOfEndpoint(database.sql, partnerGuid, endpointGuid)
        : null;
      const restaurantGuid = restaurantOf(claimed);
      const taken = await rules.take(
        (rule) =>
          isMeant(rule) &&
          (rule.clientId === null || rule.clientId === clientId) &&
          (rule.restaurantGuid === null || rule.restaurantGuid === restaurantGuid),
      );
      return taken && deliveryFault(taken);
    },
  };
}

/** Only what was never held back can be, and an ordered endpoint keeps its order. */
function suits({ kind }: Fault, claimed: ClaimedDelivery): boolean {
  if (kind !== 'shuffledEvents' && kind !== 'delayedEvent') return true;
  const isNew = claimed.attempts === 0 && claimed.dueAt.getTime() <= claimed.queuedAt.getTime();
  return isNew && (kind === 'delayedEvent' || !claimed.endpoint.isOrdered);
}

function restaurantOf({ body }: ClaimedDelivery): string | null {
  const { details } = JSON.parse(body) as { details?: { restaurantGuid?: string } };
  return details?.restaurantGuid ?? null;
}

function deliveryFault({ fault, share }: TakenFault): DeliveryFault {
  const name = faultText(fault);
  const delayMs = durationMs(fault.duration ?? '') ?? 0;
  switch (fault.kind) {
    case 'duplicateEvent':
      return { name, kind: 'duplicate' };
    case 'wrongSignature':
      return { name, kind: 'wrongSignature' };
    case 'shuffledEvents':
      return { name, kind: 'hold', delayMs: Math.ceil(delayMs * (1 - share)) };
    case 'delayedEvent':
      return { name, kind: 'hold', delayMs };
    default:
      return { name, kind: 'lost' };
  }
}
