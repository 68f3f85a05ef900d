import { isSecret } from '@servery/webhooks';
import { invalidUsage } from './exit-codes.ts';

/**
 * The secrets that a text holds, separated by blanks or commas; none for an empty one. `where` says
 * in words where it stood. Throws CommandFailure, which shows how a secret looks and never the
 * text, for what is no secret of a webhook.
 */
export function readWebhookSecrets(text: string, where: string): string[] {
  const secrets = text.split(/[\s,]+/).filter((secret) => secret !== '');
  if (secrets.every(isSecret)) return secrets;
  throw invalidUsage(
    `${where} holds what is no secret of a webhook: one is whsec_ and Base64 of 24 bytes or ` +
      'more, such as whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz.',
  );
}
