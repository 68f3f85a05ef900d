import { once } from 'node:events';
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { connect as connectTls, type SecureContext } from 'node:tls';
import type { Names } from './names.ts';
import { findObstacle, isLoopback, spellAddress } from './networks.ts';
import { codeOf, DialFailed } from './outcome.ts';
import type { Target, TargetRules } from './read-target.ts';

export interface DialDeps {
  readonly rules: TargetRules;
  readonly names: Names;
  /** Returns the socket before it connects. Tries each address but the last for `attemptMs`. */
  readonly open: (addresses: readonly string[], port: number, attemptMs: number) => Socket;
  readonly ownAddresses: () => readonly string[];
  readonly secureContext?: SecureContext;
  /** For the operator only: partners must not learn where a blocked target leads. */
  readonly onBlocked?: (found: BlockedAddress) => void;
}

export interface BlockedAddress {
  readonly host: string;
  readonly address: string;
  readonly reason: string;
}

export interface DialEvents {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Called after the check of the address and before TLS. */
  readonly onConnected: (address: string) => void;
}

/**
 * Resolves the name, checks every address, and connects to exactly these, so that a later DNS
 * change has no effect. Compares the remote address again before the first byte. Throws DialFailed,
 * or the socket's error.
 */
export async function dial(
  deps: DialDeps,
  target: Target,
  { timeoutMs, signal, onConnected }: DialEvents,
): Promise<Socket> {
  const addresses = await deps.names.addressesOf(target.host);
  signal.throwIfAborted();
  requirePublic(deps, target, addresses);
  const attemptMs = attemptTime(timeoutMs, addresses.length);
  const socket = deps.open(addresses, target.port, attemptMs);
  await waitFor(socket, 'connect', signal);
  const reached = socket.remoteAddress ?? '';
  // Reset right after it was accepted: no remote address is known anymore.
  if (reached === '') {
    socket.destroy();
    throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
  }
  if (!addresses.some((address) => spellAddress(address) === spellAddress(reached))) {
    socket.destroy();
    deps.onBlocked?.({ host: target.host, address: reached, reason: 'it was not checked' });
    throw blocked('The connection went to another address than the one checked.');
  }
  onConnected(reached);
  return target.isTls ? await secure(deps, target, socket, signal) : socket;
}

/** Any of the addresses may be used, so all must be public. */
function requirePublic(
  { rules, ownAddresses, onBlocked }: DialDeps,
  { host, isTls }: Target,
  addresses: readonly string[],
): void {
  const own = ownAddresses();
  for (const address of addresses) {
    if (rules.allowsLoopback && isLoopback(address)) continue;
    const reason = findObstacle(address, own, rules.blockedNetworks);
    if (reason !== null) {
      onBlocked?.({ host, address, reason });
      throw blocked(`${host} leads to a private network, or to no public address.`);
    }
    if (!isTls)
      throw blocked(`${host} is not on this machine, so its address must start with https://.`);
  }
}

/** Hides the address from the partner: otherwise anyone could query internal names. */
function blocked(explanation: string): DialFailed {
  return new DialFailed('BLOCKED_TARGET', explanation);
}

const SHARE_OF_OTHERS = 0.6;
/** A lost first packet is sent again after one second; slower addresses count as down. */
const ATTEMPT_MAX_MS = 1_500;

/** Node's default of 250 ms would give up a distant or busy receiver for a dead address. */
export function attemptTime(timeoutMs: number, count: number): number {
  const share = (timeoutMs * SHARE_OF_OTHERS) / Math.max(count - 1, 1);
  return Math.min(Math.round(share), ATTEMPT_MAX_MS);
}

export function openSocket(addresses: readonly string[], port: number, attemptMs: number): Socket {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  const lookup: LookupFunction = (_host, { all: wantsAll }, callback) => {
    const [first] = all;
    if (wantsAll) callback(null, all);
    else if (first) callback(null, first.address, first.family);
    else callback(new Error('no address'), '');
  };
  // This name is never resolved: all addresses come from `lookup`.
  const options = { host: 'checked.invalid', port, lookup };
  return connect({
    ...{ ...options, noDelay: true },
    ...{ autoSelectFamily: true, autoSelectFamilyAttemptTimeout: attemptMs },
  });
}

export function interfaceAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((all = []) => all.map((one) => one.address));
}

async function secure(
  { secureContext }: DialDeps,
  { host }: Target,
  socket: Socket,
  signal: AbortSignal,
): Promise<Socket> {
  const tls = connectTls({
    socket,
    ...(isIP(host) ? {} : { servername: host }),
    // The certificate is checked against it, even if it is an address.
    host,
    ALPNProtocols: ['http/1.1'],
    // Overrides NODE_TLS_REJECT_UNAUTHORIZED.
    rejectUnauthorized: true,
    ...(secureContext ? { secureContext } : {}),
  });
  try {
    await waitFor(tls, 'secureConnect', signal);
    return tls;
  } catch (error) {
    socket.destroy();
    if (signal.aborted) throw error;
    throw new DialFailed('TLS', `No trusted TLS connection was established (${codeOf(error)}).`);
  }
}

async function waitFor(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
): Promise<void> {
  // Stays attached: a late error must not end the process.
  socket.on('error', () => {});
  try {
    await once(socket, event, { signal });
  } catch (error) {
    socket.destroy();
    throw error;
  }
}
