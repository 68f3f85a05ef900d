import { AsyncLocalStorage } from 'node:async_hooks';
import { runEvery } from '@servery/support/runner.ts';
import { systemOrigin } from '../audit/origin.ts';
import { publishUnchanged } from '../configuration/publish-unchanged.ts';
import { deliveryFaults } from '../faults/delivery-faults.ts';
import { FaultRules } from '../faults/fault-rules.ts';
import { faultyProcessor, type ServedRequest } from '../faults/processor-faults.ts';
import { requestFaults } from '../faults/request-faults.ts';
import type { OrderedFaults } from '../http/pipeline/ordered-faults.ts';
import type { Processor } from '../payments/processors/processor.ts';
import type { DeliveryFaults } from '../webhooks/delivery/delivery-faults.ts';
import type { Parts } from './parts.ts';

export interface FaultParts {
  readonly rules: FaultRules;
  readonly ofRequests: OrderedFaults;
  readonly ofDeliveries: DeliveryFaults;
  ofProcessor(processor: Processor): Processor;
}

/** With what `freshness` finds, others' rules are known within a second. */
const REFRESH_MS = 250;

const INJECTED = 'A fault was injected: a publication between two pages.';

/** Null in production, where nothing can be ordered to go wrong. */
export async function startFaults(
  parts: Parts,
  undo: AsyncDisposableStack,
): Promise<FaultParts | null> {
  const { config, database, onError, stopping } = parts;
  if (config.kind !== 'sandbox') return null;
  const rules = new FaultRules(parts);
  await rules.refresh();
  const runner = runEvery(REFRESH_MS, () => rules.refresh(), onError);
  undo.defer(() => runner.stop());
  const served = new AsyncLocalStorage<ServedRequest>();
  return {
    rules,
    ofRequests: requestFaults({
      ...{ brand: config.brand, rules, served, stopping },
      publish: (restaurant, requestId) => {
        const origin = systemOrigin(parts, 'faults', 'faults.publicationBetweenPages');
        return publishUnchanged(parts, restaurant, { ...origin, requestId }, INJECTED);
      },
    }),
    ofDeliveries: deliveryFaults({ database, rules }),
    ofProcessor: (processor) => faultyProcessor(processor, { database, rules, served }),
  };
}
