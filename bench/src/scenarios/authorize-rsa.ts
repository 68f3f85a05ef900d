import { decryptOrder, payingContender } from '../payments.ts';
import type { Scenario } from '../scenario.ts';
import { startWorker, workerOf } from '../worker.ts';

/** The same as `authorize`, with a key of RSA-3072. */
export const scenario: Scenario = {
  name: 'authorize-rsa',
  about: 'card payments (RSA-3072), beside bare decryptions on the same core',
  async run(bench) {
    await using platform = await bench.startPlatform();
    await using decrypts = await startWorker('decrypts', await decryptOrder('RSA-OAEP-SHA256'));
    await bench.compare({
      name: '',
      product: await payingContender(platform, 'RSA-OAEP-SHA256'),
      others: [workerOf('decryptions', decrypts)],
      goal: { atLeast: 0.9 },
    });
  },
};
