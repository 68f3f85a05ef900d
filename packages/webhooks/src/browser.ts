/** The same check for browsers: by WebCrypto, and nothing is sent. */
import { checkStandard, type Question, type ReceivedWebhook, type VerifyOptions } from './check.ts';
import type { Verdict } from './verdict.ts';

export type { ReceivedWebhook, VerifyOptions } from './check.ts';
export type { Verdict, VerifyFailure } from './verdict.ts';

/** What `verify` of this package does, where there is no `node:crypto`. */
export async function verifyInBrowser(
  received: ReceivedWebhook,
  options: VerifyOptions = {},
): Promise<Verdict> {
  const check = checkStandard(received, options);
  let step = check.next();
  while (!step.done) step = check.next(await isMade(step.value));
  return step.value;
}

const algorithm = { name: 'HMAC', hash: 'SHA-256' };

async function isMade({ key, bytes, digests }: Question): Promise<boolean> {
  const { subtle } = crypto;
  const imported = await subtle.importKey('raw', key, algorithm, false, ['verify']);
  for (const digest of digests) {
    if (await subtle.verify(algorithm, imported, digest, bytes)) return true;
  }
  return false;
}
