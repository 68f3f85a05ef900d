import { createServer } from 'node:http';
import { reservePort } from '../../../packages/server/test/reserved-ports.ts';
import type { Lots } from '../crash/random.ts';

/** What a receiver knows of one event. */
interface Known {
  readonly body: string;
  taken: number;
  refused: number;
}

/** Where the events of a run arrive; some are refused for a while. */
export interface CrashReceiver {
  readonly url: string;
  /** By path: the events by their guid, and the order in which they came, by their number. */
  readonly events: ReadonlyMap<string, ReadonlyMap<string, Known>>;
  readonly orders: ReadonlyMap<string, readonly number[]>;
  /** Paths at which all is refused for now. */
  readonly refusing: Set<string>;
  /** What was wrong as it came. */
  readonly violations: string[];
  /** Answers nothing from now on, until what it gives is called: whoever posts is at work. */
  keepBack(): () => void;
  close(): Promise<void>;
}

const REFUSED_SHARE = 0.01;

/** Opens a receiver on loopback. */
export async function openCrashReceiver(lots: Lots): Promise<CrashReceiver> {
  const events = new Map<string, Map<string, Known>>();
  const orders = new Map<string, number[]>();
  const refusing = new Set<string>();
  const violations: string[] = [];
  /** Answers that are kept back; null while none are. */
  let kept: (() => void)[] | null = null;
  const take = (path: string, id: string, body: string, isRefused: boolean) => {
    const event = JSON.parse(body);
    const known = events.get(path) ?? new Map<string, Known>();
    events.set(path, known);
    const before = known.get(id) ?? { body, taken: 0, refused: 0 };
    known.set(id, before);
    if (before.body !== body) violations.push(`${path} ${id} came with other bytes`);
    if (event.guid !== id) violations.push(`${path} ${id} is named ${event.guid} in its body`);
    if (isRefused) before.refused += 1;
    else before.taken += 1;
    const order = orders.get(path) ?? [];
    orders.set(path, order);
    order.push(Number(event.details.externalGroupRef));
  };
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const path = request.url ?? '';
      const isRefused = lots.chance(REFUSED_SHARE) || refusing.has(path);
      const id = String(request.headers['webhook-id']);
      take(path, id, Buffer.concat(pieces).toString(), isRefused);
      const answer = () => void response.writeHead(isRefused ? 503 : 204).end();
      if (kept) kept.push(answer);
      else answer();
    });
  });
  server.keepAliveTimeout = 60_000;
  const port = await reservePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    ...{ url: `http://127.0.0.1:${port}`, events, orders, refusing, violations },
    keepBack: () => {
      const answers: (() => void)[] = [];
      kept = answers;
      return () => {
        kept = null;
        for (const answer of answers) answer();
      };
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
