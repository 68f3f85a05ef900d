import type { PaymentOrder } from '../ceilings/payments.ts';
import { addressOf, POOL_CONNECTIONS } from '../database.ts';
import { COUNTED, decryptOrder, payingContender, payOnce } from '../payments.ts';
import type { PlatformSettings } from '../platform.ts';
import type { Bench, Scenario } from '../scenario.ts';
import { startWorker, workerOf } from '../worker.ts';

/** A PUT with ECDH-ES card data, to a processor in the same process that answers at once. */
export const scenario: Scenario = {
  name: 'authorize',
  about: 'card payments (ECDH-ES), beside the bare SQL of two commits and bare decryptions',
  async run(bench) {
    await compareAuthorize(bench, '');
    await compareAuthorize(bench, 'counted by velocity limits', { env: COUNTED });
  },
};

async function compareAuthorize(
  bench: Bench,
  name: string,
  settings?: PlatformSettings,
): Promise<void> {
  await using platform = await bench.startPlatform(settings);
  const order: PaymentOrder = {
    database: await addressOf(platform),
    paymentUuid: await payOnce(platform, 'ECDH-ES'),
    connections: POOL_CONNECTIONS,
  };
  await using commits = await startWorker('payments', order);
  await using decrypts = await startWorker('decrypts', await decryptOrder('ECDH-ES'));
  await bench.compare({
    name,
    product: await payingContender(platform, 'ECDH-ES'),
    others: [workerOf('two commits', commits), workerOf('decryptions', decrypts)],
    goal: { atLeast: 0.7 },
  });
}
