import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  type Check,
  checkBranded,
  checkStandard,
  type Question,
  type ReceivedWebhook,
  type VerifyOptions,
} from './check.ts';
import type { Verdict } from './verdict.ts';

/**
 * Checks the signature of Standard Webhooks, which covers the event's guid, the time of the attempt
 * and the body: what a receiver should check. An attempt may be 300 seconds old unless
 * `toleranceSeconds` says otherwise. Never throws.
 */
export function verify(received: ReceivedWebhook, options: VerifyOptions = {}): Verdict {
  return answered(checkStandard(received, options));
}

/**
 * Checks the branded signature, which covers the body and the body's own timestamp. It says
 * nothing about the attempt: a captured webhook stays valid forever, and a late retry has an old
 * timestamp. So the age is checked only if you pass `toleranceSeconds`. While there are two
 * secrets, it is made with the older one. Never throws.
 */
export function verifyBranded(received: ReceivedWebhook, options: VerifyOptions = {}): Verdict {
  return answered(checkBranded(received, options));
}

function answered(check: Check): Verdict {
  let step = check.next();
  while (!step.done) step = check.next(isMade(step.value));
  return step.value;
}

function isMade({ key, bytes, digests }: Question): boolean {
  const own = createHmac('sha256', key).update(bytes).digest();
  return digests.some((digest) => timingSafeEqual(digest, own));
}
