/** `@servery/client/webhooks`: for receivers, which need nothing else of the client. */
import type { WebhookEvent } from '@servery/contract';
import {
  type ReceivedWebhook,
  type VerifyFailure,
  type VerifyOptions,
  verifyInBrowser,
} from '@servery/webhooks/browser.ts';

export type VerifiedWebhook =
  | {
      readonly isValid: true;
      /** An event can come twice: its guid tells. It may be of a type that you don't know. */
      readonly event: WebhookEvent;
      /** Which of your secrets made the signature. */
      readonly secretIndex: number;
    }
  | { readonly isValid: false; readonly reason: VerifyFailure; readonly explanation: string };

/**
 * Checks the signature of a webhook over the bytes of its body, as they came. Never throws: an
 * object that was parsed already, and everything else that is wrong, is refused with the reason.
 */
export async function verifyWebhook(
  headers: ReceivedWebhook['headers'],
  body: ReceivedWebhook['body'],
  secrets: ReceivedWebhook['secrets'],
  options: VerifyOptions = {},
): Promise<VerifiedWebhook> {
  const verdict = await verifyInBrowser({ headers, body, secrets }, options);
  if (!verdict.isValid) return verdict;
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  return { ...verdict, event: JSON.parse(text) as WebhookEvent };
}
