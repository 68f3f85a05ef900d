import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Log } from '../../support/log.ts';
import { ApiError } from '../errors.ts';
import { networkOf } from './network.ts';

export type TurnedAway = 'refused' | 'ended';

export interface ConnectionsDeps {
  readonly limit: number;
  readonly log: Pick<Log, 'warn'>;
  readonly monotonicMs: () => number;
  readonly onTurnedAway: (how: TurnedAway) => void;
}

interface Line {
  socket: Socket;
  readonly from: string;
  readonly isRefused: boolean;
  request: IncomingMessage | null;
  underWay: number;
}

interface Network {
  readonly lines: Set<Line>;
  readonly silent: Set<Line>;
}

const REFUSED_AT_ONCE = 32;
const LOG_EVERY_MS = 10_000;
const RETRY_SECONDS = 5;

/**
 * Without a limit, connections would use the last file descriptor, and the database and processor
 * would be out of reach. At the limit, a new connection replaces an idle one, silent ones first.
 * The network with the most connections loses first. If none is idle, the request gets a 503.
 */
export class Connections {
  readonly #deps: ConnectionsDeps;
  readonly #lines = new WeakMap<Socket, Line>();
  readonly #served = new Map<string, Network>();
  readonly #silent = new Set<Line>();
  readonly #refused = new Set<Line>();
  #open = 0;
  #turnedAway: Record<TurnedAway, number> = { refused: 0, ended: 0 };
  #loggedAtMs = Number.NEGATIVE_INFINITY;

  constructor(deps: ConnectionsDeps) {
    this.#deps = deps;
  }

  get open(): number {
    return this.#open;
  }

  watch(server: Pick<Server, 'on'>): void {
    // An https listener reports the bare connection first; the TLS socket replaces it after the
    // handshake.
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

  #placeFor(from: string): Line | null {
    let most: Network = { lines: new Set(), silent: new Set() };
    for (const network of this.#served.values()) {
      if (network.lines.size > most.lines.size) most = network;
    }
    const own = this.#served.get(from)?.lines.size ?? 0;
    // A used connection is replaced only for a network that has fewer.
    const idle = () => (most.lines.size > own + 1 ? firstOf(most.lines, isIdle) : null);
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

export function tooManyConnections(): ApiError {
  return new ApiError(
    'unavailable',
    `The server has as many connections as it can serve: try again in ${RETRY_SECONDS} seconds.`,
    { headers: { 'retry-after': String(RETRY_SECONDS), connection: 'close' } },
  );
}

/** An incomplete request has begun nothing, but earlier ones on the connection may be at work. */
const isIdle = ({ request, underWay }: Line) =>
  underWay === 0 || (underWay === 1 && request?.complete === false);

function firstOf(lines: ReadonlySet<Line>, is: (line: Line) => boolean = () => true): Line | null {
  return lines.values().find(is) ?? null;
}

function endOf({ remoteAddress, remotePort, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localPort}`;
}
