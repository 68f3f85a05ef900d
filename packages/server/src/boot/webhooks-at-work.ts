import { machineTimer, within } from '@servery/support/timer.ts';
import type { Config } from '../config/config.ts';
import type { RequestObserver } from '../http/pipeline/observe.ts';
import type { DeliveryFaults } from '../webhooks/delivery/delivery-faults.ts';
import { DeliveryWork } from '../webhooks/delivery/delivery-work.ts';
import { webhookMetrics } from '../webhooks/delivery/webhook-metrics.ts';
import type { TargetRules } from '../webhooks/sockets/read-target.ts';
import { Targets } from '../webhooks/sockets/targets.ts';
import type { Parts } from './parts.ts';

/** After this, attempts under way are given back. */
const STOP_GRACE_MS = 5_000;

export function targetRulesOf({
  webhookLoopback,
  webhookBlockedNetworks,
}: Pick<Config, 'webhookLoopback' | 'webhookBlockedNetworks'>): TargetRules {
  return { allowsLoopback: webhookLoopback, blockedNetworks: webhookBlockedNetworks };
}

export function startWebhooks(parts: Parts, faults: DeliveryFaults | null) {
  const { config, metrics, log } = parts;
  const rules = targetRulesOf(config);
  const targets = new Targets({
    rules,
    onBlocked: (found) =>
      log.warn(found, 'the address of a webhook endpoint leads to an internal network'),
  });
  const attempted = webhookMetrics(metrics, parts);
  const { brand } = config;
  const work = new DeliveryWork({
    ...parts,
    ...{ brand, targets, timer: machineTimer, attempted, faults },
  });
  const stop = async () => {
    // Hanging receivers would delay the exit until the process is killed.
    await within(work.settled(), STOP_GRACE_MS);
    await targets.close();
    await work.settled();
  };
  parts.stopping.addEventListener('abort', () => void stop(), { once: true });
  const observer: RequestObserver = {
    finished({ operation, status }) {
      if (operation?.interface !== 'backOffice' || operation.method === 'GET') return;
      if (status >= 300) return;
      if (/^backOffice\.(webhooks\.|clients\.revoke$)/.test(operation.id)) work.renew();
      else work.wake();
    },
  };
  return { work, observer, stop };
}
