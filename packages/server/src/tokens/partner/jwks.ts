import type { HandlerOf } from '../../http/operation.ts';
import type { SigningKeys } from '../signing-keys.ts';

/** Well below the day that a new key is published before it signs. */
export const publicForAnHour = { 'cache-control': 'public, max-age=3600' } as const;

export const jwksHandler =
  ({ signingKeys }: { readonly signingKeys: SigningKeys }): HandlerOf<'auth.jwks'> =>
  async ({ nowMs }) => ({
    json: { keys: await signingKeys.published(nowMs) },
    headers: publicForAnHour,
  });
