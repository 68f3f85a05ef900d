import type { HandlerOf } from '../../http/operation.ts';
import type { SigningKeys } from '../signing-keys.ts';
import { publicForAnHour } from './public-for-an-hour.ts';

export const jwksHandler =
  ({ signingKeys }: { readonly signingKeys: SigningKeys }): HandlerOf<'auth.jwks'> =>
  async ({ nowMs }) => ({
    json: { keys: await signingKeys.published(nowMs) },
    headers: publicForAnHour,
  });
