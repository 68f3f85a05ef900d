import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Simulator } from './core.ts';
import type { Call, Delivery } from './effects.ts';
import { type Fault, ruleFault } from './faults.ts';
import { type LedgerFolder, LedgerRefusal } from './ledger-folder.ts';
import { operations, type ProcessorAnswer } from './messages.ts';
import {
  FAULT_HEADER,
  LEDGER_HEADER,
  MESSAGE_LIMIT_BYTES,
  PROTOCOL,
  readFault,
  readHelloOrder,
  readNewLedger,
  readOrder,
  readRule,
  type WireAnswer,
  type WireHealth,
  type WireHello,
  WrongShape,
} from './protocol.ts';

/** The server reads it anew for each request. */
export interface SimulatorDoors {
  /** Null before the ledger is loaded. */
  simulator: Simulator | null;
  status: WireHealth['status'];
  ledgerId: string | null;
  /** Null before the ledger is loaded. */
  others: LedgerFolder | null;
  readonly instance: string;
  /** The ledger can't be written anymore: from now on, nothing is answered. */
  readonly onFailure: (error: unknown) => void;
}

/** Refused without effect. */
class Refusal extends Error {
  readonly status: number;

  constructor(status: number, reason: string) {
    super(reason);
    this.status = status;
  }
}

/** A slow sender holds no socket. */
const ARRIVAL_LIMITS = {
  requestTimeout: 60_000,
  headersTimeout: 20_000,
  connectionsCheckingInterval: 5_000,
};

/** Longer than clients keep connections, so they never use a closed one. */
const KEEP_ALIVE_MS = 65_000;

/** Not listening yet. See docs/reference/processor-protocol.md. */
export function createSimulatorServer(doors: SimulatorDoors): Server {
  const server = createServer(ARRIVAL_LIMITS, (request, response) => {
    void answer(doors, request, response);
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  return server;
}

async function answer(
  doors: SimulatorDoors,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = (request.url ?? '').split('?', 1)[0] ?? '';
  const [, ledgerId, below = ''] = /^\/ledgers\/([^/]+)(\/.*)$/.exec(path) ?? [];
  const isMain = !path.startsWith('/ledgers');
  try {
    if (isMain) await route(doors, path, request, response);
    else if (ledgerId === undefined) await manageLedgers(doors, path, request, response);
    else {
      await othersOf(doors).use(ledgerId, (simulator) =>
        route({ ...doors, simulator, ledgerId }, below, request, response),
      );
    }
  } catch (error) {
    // Another ledger that can't be written anymore is only loaded again.
    refuse(response, error, isMain ? doors.onFailure : () => {});
  }
}

/** For the owner of the ledgers. */
async function manageLedgers(
  doors: SimulatorDoors,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const others = othersOf(doors);
  const { method = '' } = request;
  const [, ledgerId] = /^\/ledgers\/([^/]+)$/.exec(path) ?? [];
  if (ledgerId !== undefined && method === 'DELETE') {
    return send(response, 200, { protocol: PROTOCOL, isDropped: await others.drop(ledgerId) });
  }
  if (path === '/ledgers' && method === 'GET') {
    return send(response, 200, { protocol: PROTOCOL, ledgers: await others.list() });
  }
  if (path === '/ledgers' && method === 'POST') {
    const { ledger, copyOf } = readNewLedger(await readBody(request));
    if (ledger === doors.ledgerId) throw new LedgerRefusal('taken', 'this is the main ledger');
    await others.make(ledger, copyOf);
    return send(response, 201, { protocol: PROTOCOL, ledger });
  }
  throw noSuchDoor(method, path);
}

function othersOf(doors: SimulatorDoors): LedgerFolder {
  running(doors);
  return doors.others as LedgerFolder;
}

async function route(
  doors: SimulatorDoors,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = '' } = request;
  if (path === '/health' && method === 'GET') return sendHealth(doors, response);
  if (path === '/hello' && method === 'POST') {
    const { key } = readHelloOrder(await readBody(request));
    running(doors);
    const answer: WireHello = {
      ...{ protocol: PROTOCOL, key },
      answer: { outcome: 'ready', ledger: doors.ledgerId },
    };
    return send(response, 200, answer);
  }
  const operation = operations.find((name) => path === `/${name}`);
  if (operation && method === 'POST') {
    refuseOtherLedger(doors, request);
    const call = { operation, order: readOrder(operation, await readBody(request)) } as Call;
    // A caller that hangs up cancels nothing, as with a real processor.
    const never = new AbortController().signal;
    const delivery = await running(doors).call(call, never, orderedFault(call, request));
    return deliver(response, call.order.key, delivery);
  }
  if (path === '/ledger' && method === 'GET') {
    return send(response, 200, { protocol: PROTOCOL, holds: await running(doors).holds() });
  }
  if (path === '/faults') return await faults(doors, request, response);
  throw noSuchDoor(method, path);
}

function noSuchDoor(method: string, path: string): Refusal {
  return new Refusal(404, `there is no ${method} ${path.slice(0, 50)}`);
}

/** What the platform orders for this call alone. */
function orderedFault({ operation }: Call, { headers }: IncomingMessage): Fault | undefined {
  const text = headers[FAULT_HEADER];
  if (text === undefined) return undefined;
  const fault = readFault(parseJson(`${text}`));
  const wrong = ruleFault({ operation, count: 1, fault });
  if (wrong) throw new Refusal(400, wrong);
  return fault;
}

/** This ledger knows nothing about the holds of another one. */
function refuseOtherLedger(doors: SimulatorDoors, { headers }: IncomingMessage): void {
  const asked = headers[LEDGER_HEADER];
  const own = doors.ledgerId;
  if (asked === undefined || own === null || asked === own) return;
  throw new Refusal(409, 'this is another ledger than the one that the environment works with');
}

function sendHealth(doors: SimulatorDoors, response: ServerResponse): void {
  const { status, instance, ledgerId: ledger } = doors;
  const health: WireHealth = { protocol: PROTOCOL, status, instance, ledger };
  send(response, status === 'ready' ? 200 : 503, health);
}

async function faults(
  doors: SimulatorDoors,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { faults: rules } = running(doors);
  switch (request.method) {
    case 'GET':
      return send(response, 200, { rules: rules.list() });
    case 'DELETE':
      return send(response, 200, { removed: rules.clear() });
    case 'POST': {
      const rule = readRule(await readBody(request));
      const fault = ruleFault(rule);
      if (fault) throw new Refusal(400, fault);
      return send(response, 201, rules.add(rule));
    }
    default:
      throw new Refusal(405, 'faults are read, put and taken back');
  }
}

function running({ simulator, status }: SimulatorDoors): Simulator {
  if (simulator && status === 'ready') return simulator;
  throw new Refusal(503, `the processor is ${status}`);
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/json\s*(;|$)/i.test(type)) throw new Refusal(415, 'the body must be JSON');
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MESSAGE_LIMIT_BYTES) throw new Refusal(413, 'the body is too long');
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(400, 'the body broke off');
  }
  return parseJson(Buffer.concat(chunks).toString('utf8'));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message would quote the body, and a card with it.
    throw new Refusal(400, 'the body is not JSON');
  }
}

function deliver(response: ServerResponse, key: string, delivery: Delivery): void {
  switch (delivery.kind) {
    case 'answer':
      send(response, 200, wireAnswer(key, delivery.answer));
      return;
    case 'broken':
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"protocol":1,"key":');
      return;
    case 'dropped':
      response.destroy();
      return;
    case 'silence':
  }
}

function wireAnswer(key: string | null, answer: ProcessorAnswer): WireAnswer {
  return { protocol: PROTOCOL, key, answer };
}

function refuse(
  response: ServerResponse,
  error: unknown,
  onFailure: SimulatorDoors['onFailure'],
): void {
  const status = refusalStatus(error);
  if (status === null) {
    // The call may have had its effect, so any answer could be wrong.
    response.destroy();
    onFailure(error);
    return;
  }
  const explanation = (error as Error).message;
  if (status === 413) response.setHeader('connection', 'close');
  send(response, status, wireAnswer(null, { outcome: 'notProcessed', explanation }));
}

const LEDGER_STATUS = { missing: 404, taken: 409, unusable: 500 };

function refusalStatus(error: unknown): number | null {
  if (error instanceof WrongShape) return 400;
  if (error instanceof LedgerRefusal) return LEDGER_STATUS[error.reason];
  return error instanceof Refusal ? error.status : null;
}

function send(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}
