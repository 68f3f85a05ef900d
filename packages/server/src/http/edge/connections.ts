import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Log } from '../../support/log.ts';
import { ApiError } from '../errors.ts';
import { networkOf } from './network.ts';

/** How a connection that came at the limit ended: refused with a 503, or ended for another one. */
export type TurnedAway = 'refused' | 'ended';

/** What the connections of a process need. */
export interface ConnectionsDeps {
  /** How many are served at a time. */
  readonly limit: number;
  readonly log: Pick<Log, 'warn'>;
  /** Milliseconds that only grow. */
  readonly monotonicMs: () => number;
  /** Counts, for the metrics. */
  readonly onTurnedAway: (how: TurnedAway) => void;
}

/** One connection. */
interface Line {
  /** Behind TLS, the socket that has the text; before that the bare one. */
  socket: Socket;
  /** The network that it comes from. */
  readonly from: string;
  /** True beyond the limit: its request gets a 503. */
  readonly isRefused: boolean;
  /** The request that came last; null before the first one. */
  request: IncomingMessage | null;
  /** Requests that are not answered yet. */
  underWay: number;
}

/** The connections of one network, in the order in which they came. */
interface Network {
  readonly lines: Set<Line>;
  /** Those of them that have not made a request yet. */
  readonly silent: Set<Line>;
}

/** So many get this refusal at a time; beyond it the oldest is closed. */
const REFUSED_AT_ONCE = 32;
const LOG_EVERY_MS = 10_000;
const RETRY_SECONDS = 5;

/**
 * The connections of a process, over all its listeners. Without a limit they would take the last
 * file descriptor: then the system resets new ones, and the database and the processor are out of
 * reach. At the limit a new connection takes the place of one that nobody waits for, and one that
 * has not made a request yet is the first to go. The network that holds the most loses first, so
 * that it cannot keep all others out. Where no place is free, the request gets a 503.
 */
export class Connections {
  readonly #deps: ConnectionsDeps;
  readonly #lines = new WeakMap<Socket, Line>();
  /** Those that are served, by where they come from. */
  readonly #served = new Map<string, Network>();
  /** Those of them that have not made a request yet, in the order in which they came. */
  readonly #silent = new Set<Line>();
  readonly #refused = new Set<Line>();
  #open = 0;
  #turnedAway: Record<TurnedAway, number> = { refused: 0, ended: 0 };
  #loggedAtMs = Number.NEGATIVE_INFINITY;

  constructor(deps: ConnectionsDeps) {
    this.#deps = deps;
  }

  /** How many are served now. */
  get open(): number {
    return this.#open;
  }

  /** Counts the connections of a listener from now on. */
  watch(server: Pick<Server, 'on'>): void {
    // Of an https listener only the bare connection is told of first, and the other one takes its
    // place when the handshake is over.
    const shaking = new Map<string, Line>();
    server.on('connection', (socket: Socket) => {
      const line = this.#add(socket);
      const key = endOf(socket);
      shaking.set(key, line);
      socket.once('close', () => {
        if (shaking.get(key) === line) shaking.delete(key);
      });
    });
    server.on('secureConnection', (socket: TLSSocket) => {
      const line = shaking.get(endOf(socket));
      if (!line) return;
      line.socket = socket;
      this.#lines.set(socket, line);
    });
  }

  /** Takes note of a request; true when its connection is beyond the limit. */
  begin(request: IncomingMessage, response: ServerResponse): boolean {
    const line = this.#lines.get(request.socket);
    if (!line) return false;
    this.#speaks(line);
    line.request = request;
    line.underWay += 1;
    response.once('close', () => {
      line.underWay -= 1;
    });
    return line.isRefused;
  }

  /** Whether the connection of a request is beyond the limit. */
  isRefused({ socket }: Pick<IncomingMessage, 'socket'>): boolean {
    return this.#lines.get(socket)?.isRefused ?? false;
  }

  #add(socket: Socket): Line {
    const from = networkOf(socket.remoteAddress ?? '');
    const isFull = this.#open >= this.#deps.limit;
    const given = isFull ? this.#placeFor(from) : null;
    if (given) {
      this.#remove(given);
      given.socket.destroy();
      this.#tell('ended');
    }
    const isRefused = isFull && !given;
    const line: Line = { socket, from, isRefused, request: null, underWay: 0 };
    this.#lines.set(socket, line);
    socket.once('close', () => this.#remove(line));
    if (isRefused) this.#refuse(line);
    else this.#serve(line);
    return line;
  }

  #serve(line: Line): void {
    const network = this.#served.get(line.from) ?? { lines: new Set(), silent: new Set() };
    this.#served.set(line.from, network);
    network.lines.add(line);
    network.silent.add(line);
    this.#silent.add(line);
    this.#open += 1;
  }

  #speaks(line: Line): void {
    this.#silent.delete(line);
    this.#served.get(line.from)?.silent.delete(line);
  }

  #refuse(line: Line): void {
    this.#refused.add(line);
    this.#tell('refused');
    const [first] = this.#refused;
    if (this.#refused.size <= REFUSED_AT_ONCE || !first) return;
    this.#refused.delete(first);
    first.socket.destroy();
  }

  #remove(line: Line): void {
    this.#refused.delete(line);
    this.#speaks(line);
    const network = this.#served.get(line.from);
    if (!network?.lines.delete(line)) return;
    this.#open -= 1;
    if (network.lines.size === 0) this.#served.delete(line.from);
  }

  /** A connection that can go for a new one; null when all are needed. */
  #placeFor(from: string): Line | null {
    let most: Network = { lines: new Set(), silent: new Set() };
    for (const network of this.#served.values()) {
      if (network.lines.size > most.lines.size) most = network;
    }
    const own = this.#served.get(from)?.lines.size ?? 0;
    // One that has been used goes only to a network that has fewer.
    const idle = () => (most.lines.size > own + 1 ? firstIdle(most.lines) : null);
    return firstOf(most.silent) ?? idle() ?? firstOf(this.#silent);
  }

  #tell(how: TurnedAway): void {
    const { limit, log, monotonicMs, onTurnedAway } = this.#deps;
    onTurnedAway(how);
    this.#turnedAway[how] += 1;
    const nowMs = monotonicMs();
    if (nowMs - this.#loggedAtMs < LOG_EVERY_MS) return;
    this.#loggedAtMs = nowMs;
    log.warn({ limit, ...this.#turnedAway }, 'there are too many connections');
    this.#turnedAway = { refused: 0, ended: 0 };
  }
}

/** The refusal of a request whose connection is beyond the limit. */
export function tooManyConnections(): ApiError {
  return new ApiError(
    'unavailable',
    `The server has as many connections as it can serve: try again in ${RETRY_SECONDS} seconds.`,
    { headers: { 'retry-after': String(RETRY_SECONDS), connection: 'close' } },
  );
}

/**
 * Nothing was begun for a request that has not arrived whole; but others that came before it on the
 * same connection may be at work.
 */
const isIdle = ({ request, underWay }: Line) =>
  underWay === 0 || (underWay === 1 && request?.complete === false);

function firstOf(lines: ReadonlySet<Line>): Line | null {
  const [first] = lines;
  return first ?? null;
}

function firstIdle(lines: ReadonlySet<Line>): Line | null {
  for (const line of lines) if (isIdle(line)) return line;
  return null;
}

/** What tells a connection from all others that are open. */
function endOf({ remoteAddress, remotePort, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localPort}`;
}
