import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { connect as connectTls, type SecureContext } from 'node:tls';
import type { Names } from './names.ts';
import { findObstacle, isLoopback, spellAddress } from './networks.ts';
import type { Target } from './read-target.ts';
import type { TargetRules } from './rules.ts';

/** What a connection needs to come about. */
export interface DialDeps {
  readonly rules: TargetRules;
  readonly names: Names;
  /**
   * Opens a connection to one of the addresses; gives the socket at once, before it connects. Each
   * address but the last one is tried for `attemptMs` milliseconds.
   */
  readonly open: (addresses: readonly string[], port: number, attemptMs: number) => Socket;
  /** The addresses of this machine itself. */
  readonly ownAddresses: () => readonly string[];
  /** What is believed of certificates; the machine's own judgement where absent. */
  readonly secureContext?: SecureContext;
  /** Is told where a target leads that is refused: for the operator, and never for a partner. */
  readonly onBlocked?: (found: BlockedAddress) => void;
}

/** An address that no webhook is sent to, and why. */
export interface BlockedAddress {
  readonly host: string;
  readonly address: string;
  readonly reason: string;
}

/** How long a connection may take, and what happens while it comes about. */
export interface DialEvents {
  /** For name, connection and TLS together, in milliseconds; `signal` ends what takes longer. */
  readonly timeoutMs: number;
  /** Ends it, with its reason as the error. */
  readonly signal: AbortSignal;
  /** Told the address once it is connected to and checked, before TLS. */
  readonly onConnected: (address: string) => void;
}

/**
 * A target that leads where no receiver may stand. Its text is for the partner and does not say
 * where: else anybody could ask for the inner addresses that our name servers know.
 */
export class BlockedTarget extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'BlockedTarget';
  }
}

/** TLS did not come about; `code` is the error's. */
export class TlsFailed extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.name = 'TlsFailed';
    this.code = code;
  }
}

/**
 * Connects to a target. Its name is resolved here, every address is checked, and the connection
 * goes to one of these very addresses: what the name leads to a moment later does not matter. No
 * byte is sent before the far end's address was compared once more. Throws BlockedTarget,
 * NameNotFound, TlsFailed, or the error of the socket.
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
  // Reset as soon as it was accepted: the machine knows no far end any more.
  if (reached === '') {
    socket.destroy();
    throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
  }
  if (!addresses.some((address) => spellAddress(address) === spellAddress(reached))) {
    socket.destroy();
    deps.onBlocked?.({ host: target.host, address: reached, reason: 'it was not checked' });
    throw new BlockedTarget('The connection went to another address than the one checked.');
  }
  onConnected(reached);
  return target.isTls ? await secure(deps, target, socket, signal) : socket;
}

/** Throws BlockedTarget unless every address may be connected to, whichever it would be. */
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
      throw new BlockedTarget(`${host} leads to a private network, or to no public address.`);
    }
    if (!isTls) throw new BlockedTarget(`${host} leads elsewhere, and only https:// may do that.`);
  }
}

/** What all addresses but the last one may take together of the time for connecting. */
const SHARE_OF_OTHERS = 0.6;
/** A lost first packet is sent again after a second: what takes longer is away. */
const ATTEMPT_MAX_MS = 1_500;

/**
 * How long each address but the last one is tried, in milliseconds. After Node's own quarter of a
 * second a receiver far away, or one that a busy machine holds up, would be given up for an address
 * that may lead nowhere. `timeoutMs` is the time for connecting to one of `count` addresses.
 */
export function attemptTime(timeoutMs: number, count: number): number {
  const share = (timeoutMs * SHARE_OF_OTHERS) / Math.max(count - 1, 1);
  return Math.min(Math.round(share), ATTEMPT_MAX_MS);
}

/** Opens a connection by the machine's own means, to whichever of the addresses answers first. */
export function openSocket(addresses: readonly string[], port: number, attemptMs: number): Socket {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  const lookup: LookupFunction = (_host, { all: wantsAll }, callback) => {
    const [first] = all;
    if (wantsAll) callback(null, all);
    else if (first) callback(null, first.address, first.family);
    else callback(new Error('no address'), '');
  };
  // The name is for nobody: every address that is asked for comes from `lookup`.
  const options = { host: 'checked.invalid', port, lookup };
  return connect({
    ...{ ...options, noDelay: true },
    ...{ autoSelectFamily: true, autoSelectFamilyAttemptTimeout: attemptMs },
  });
}

/** The addresses of this machine's interfaces. */
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
    // By this the certificate is compared, also where it is an address.
    host,
    ALPNProtocols: ['http/1.1'],
    // Also where NODE_TLS_REJECT_UNAUTHORIZED says otherwise.
    rejectUnauthorized: true,
    ...(secureContext ? { secureContext } : {}),
  });
  try {
    await waitFor(tls, 'secureConnect', signal);
    return tls;
  } catch (error) {
    socket.destroy();
    if (signal.aborted) throw error;
    throw new TlsFailed(codeOf(error));
  }
}

/** Waits until a socket is connected; destroys it where the signal comes first. */
function waitFor(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const stop = () => {
    socket.destroy();
    reject(signal.reason);
  };
  signal.addEventListener('abort', stop, { once: true });
  socket.once(event, resolve);
  // Stays until the end: an error that comes late must not end the process.
  socket.on('error', reject);
  socket.once('close', () => reject(new Error('closed')));
  if (signal.aborted) stop();
  return promise.finally(() => signal.removeEventListener('abort', stop));
}

/** The code of an error of a socket; never its text, which may quote the far end. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.name) : '';
  return /^[A-Za-z][A-Za-z_]{1,60}\d{0,2}$/.test(code) ? code : 'Error';
}
