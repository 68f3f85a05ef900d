import type { Clock } from '@servery/support/clock.ts';
import type { Vault } from '@servery/support/secret.ts';
import type { Attest, BackOfficeRequest } from '../http/operation.ts';
import type { ChangeOrigin } from './entry-store.ts';

export function originOf(
  request: Pick<BackOfficeRequest, 'by' | 'requestId' | 'operation' | 'nowMs' | 'attest'>,
  realClock: Clock,
): ChangeOrigin {
  const { by, requestId, operation, nowMs, attest } = request;
  const [at, realAt] = [new Date(nowMs), new Date(realClock.nowMs())];
  return { by, requestId, operation: operation.id, at, realAt, attest };
}

export function attestEntries(vault: Pick<Vault, 'digest'>): Attest {
  return (text) => vault.digest('audit entry', text);
}

export interface SystemOriginDeps {
  readonly clock: Clock;
  readonly realClock: Clock;
  readonly vault: Pick<Vault, 'digest'>;
}

/**
 * For due work and CLI commands: `name` is the actor, for example `clock`, `operation` the command,
 * for example `clients create`.
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
