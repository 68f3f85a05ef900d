import { CommandFailure, exitCodes } from './exit-codes.ts';

/** What the token service answers. */
export interface Token {
  readonly access_token: string;
  /** Seconds that the token has left. */
  readonly expires_in: number;
}

const MS_PER_SECOND = 1_000;

/**
 * The present instant of the environment in epoch milliseconds: its clock decides how long a token
 * has left. Throws CommandFailure for a token that does not say.
 */
export function instantOf({ access_token, expires_in }: Token, baseUrl: string): number {
  const issuedAt = Number(claimsOf(access_token).exp) - expires_in;
  if (Number.isSafeInteger(issuedAt)) return issuedAt * MS_PER_SECOND;
  throw new CommandFailure(
    `the token of ${baseUrl} does not tell the time of its environment.`,
    exitCodes.failure,
  );
}

/** The kind of account that a token is of, or null. Its claim is named after the brand. */
export function typeOf({ access_token }: Token): string | null {
  const claims = Object.entries(claimsOf(access_token));
  const [, type] = claims.find(([name]) => /^https?:.*\/type$/.test(name)) ?? [];
  return typeof type === 'string' ? type : null;
}

/** What an access token says, which is for the platform to prove; nothing for other text. */
function claimsOf(accessToken: string): Readonly<Record<string, unknown>> {
  const [, payload = ''] = accessToken.split('.');
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    return typeof claims === 'object' && claims !== null ? { ...claims } : {};
  } catch {
    return {};
  }
}
