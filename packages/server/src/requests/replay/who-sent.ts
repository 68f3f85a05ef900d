import type { LoggedRequestDetails, Operation, TokenProblem } from '@servery/contract';
import { ApiError } from '../../http/errors.ts';
import type { Sender } from './ports.ts';

export interface WhoSent {
  readonly sender: Sender;
  readonly note: string | null;
}

const NOBODY: WhoSent = { sender: { kind: 'nobody' }, note: null };

const ended: Readonly<Partial<Record<TokenProblem, string>>> = {
  expired: 'had expired',
  revoked: 'had been revoked',
  secretRevoked: 'had ended with its secret',
  clientRevoked: 'had ended with its client',
};

/** Throws ApiError `conflict` if the log doesn't tell. */
export function whoSent(
  { personGuid, clientId, requestHeaders, explanation }: LoggedRequestDetails,
  operation: Operation | null,
): WhoSent {
  if (operation?.security === 'none') return NOBODY;
  if (personGuid !== null) return { sender: { kind: 'person', personGuid }, note: null };
  const token = explanation?.token ?? null;
  const known = clientId ?? token?.clientId ?? null;
  if (known !== null) {
    const how = token?.problem ? ended[token.problem] : undefined;
    const note = how ? `The token ${how}: a new one of the same client was sent.` : null;
    return { sender: { kind: 'client', clientId: known }, note };
  }
  const hadToken = requestHeaders.authorization !== undefined;
  const hadSession = requestHeaders.cookie !== undefined && token?.problem !== 'missing';
  if (!hadToken && !hadSession) return NOBODY;
  throw new ApiError(
    'conflict',
    `The log doesn't say who sent this request: its ${hadToken ? 'token' : 'session'} was not ` +
      'one that this platform recognized. Send the request yourself, with a valid token.',
  );
}
