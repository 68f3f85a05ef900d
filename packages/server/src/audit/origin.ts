import type { Clock } from '@servery/support/clock.ts';
import type { Vault } from '@servery/support/secret.ts';
import type { Attest, BackOfficeRequest } from '../http/operation.ts';
import type { ChangeOrigin } from './entry-store.ts';

/** Who changes something by a request to the back office. */
export function originOf(
  {
    by,
    requestId,
    operation,
    nowMs,
    attest,
  }: Pick<BackOfficeRequest, 'by' | 'requestId' | 'operation' | 'nowMs' | 'attest'>,
  realClock: Clock,
): ChangeOrigin {
  return {
    by,
    requestId,
    operation: operation.id,
    at: new Date(nowMs),
    realAt: new Date(realClock.nowMs()),
    attest,
  };
}

/** Proves what the platform writes into the record of changes, under the master key. */
export function attestEntries(vault: Pick<Vault, 'digest'>): Attest {
  return (text) => vault.digest('audit entry', text);
}

/** What a change without a request leans on. */
export interface SystemOriginDeps {
  readonly clock: Clock;
  readonly realClock: Clock;
  readonly vault: Pick<Vault, 'digest'>;
}

/**
 * The platform itself as the origin of a change: due work, or a command of `servery`. `name` says
 * who, such as `clock`, and `operation` what, such as `clients create`.
 */
export function systemOrigin(
  { clock, realClock, vault }: SystemOriginDeps,
  name: string,
  operation: string,
): ChangeOrigin {
  return {
    by: `system:${name}`,
    requestId: null,
    operation,
    at: new Date(clock.nowMs()),
    realAt: new Date(realClock.nowMs()),
    attest: attestEntries(vault),
  };
}
