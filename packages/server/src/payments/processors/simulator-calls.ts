import { exchange, NothingSent, type Received } from '@servery/card-simulator/exchange.ts';
import { sayHello } from '@servery/card-simulator/hello.ts';
import { LATE, sleep, within } from '@servery/support/timer.ts';
import { ledgerMissing, type OwnLedger } from './own-ledger.ts';

/** Null while it doesn't run. */
export type SimulatorUrl = () => string | null;

const QUESTIONS = 40;
const PAUSE_MS = 50;
/** It is back within a second, but a busy machine needs more. */
const ATTEMPTS = 200;
/** A copy of a long ledger takes some seconds. */
const ORDER_LIMIT_MS = 60_000;
/** A list of 100,000 ledgers. */
const LIST_LIMIT_BYTES = 10_000_000;
const UNAVAILABLE = 503;
const TAKEN = 409;

/**
 * It was just ready; if it died since, it is back within a second. Throws an Error at once if it has
 * no ledger `expected`.
 */
export async function untilTold(
  url: SimulatorUrl,
  place: string,
  expected: string | null = null,
): Promise<OwnLedger> {
  for (let question = 0; question < QUESTIONS; question += 1) {
    const at = url();
    const greeting = at === null ? null : await sayHello(at, null);
    if (greeting?.kind === 'ready' && greeting.ledger !== null)
      return { id: greeting.ledger, place };
    if (greeting?.kind === 'missing' && expected !== null) throw ledgerMissing(place, expected);
    await sleep(PAUSE_MS);
  }
  throw new Error(`The processor simulator does not report which ledger it has: ${place}.`);
}

/**
 * Gives the simulator an order about its ledgers, again if it dies over it. Throws an Error with its
 * reason if it refuses, or if it takes too long.
 */
export async function orderSimulator(
  url: SimulatorUrl,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body: object | null,
): Promise<unknown> {
  let isRepeat = false;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const at = url();
    const received = at === null ? 'unsent' : await askOnce(`${at}${path}`, method, body);
    if (received === 'lost') isRepeat = true;
    else if (received !== 'unsent' && received.status !== UNAVAILABLE) {
      // A new ledger's id is only known here: the order whose answer was lost made it.
      if (received.status === TAKEN && isRepeat) return null;
      return read(received, method, path);
    }
    await sleep(PAUSE_MS);
  }
  throw new Error('The processor simulator does not run at this moment.');
}

async function askOnce(
  url: string,
  method: string,
  body: object | null,
): Promise<Received | 'unsent' | 'lost'> {
  const stop = new AbortController();
  const headers = { 'content-type': 'application/json' };
  const request = { method, agent: false, headers, signal: stop.signal } as const;
  try {
    const call = exchange(url, request, body && JSON.stringify(body), LIST_LIMIT_BYTES).catch(
      (error: unknown) => (error instanceof NothingSent ? 'unsent' : 'lost'),
    );
    const received = await within(call, ORDER_LIMIT_MS);
    if (received === LATE) throw new Error('The processor simulator takes too long.');
    return received;
  } finally {
    stop.abort();
  }
}

function read({ status, text }: Received, method: string, path: string): unknown {
  const answer = JSON.parse(text);
  if (status < 300) return answer;
  const reason = answer?.answer?.explanation ?? `status ${status}`;
  throw new Error(`The processor simulator refused ${method} ${path}: ${reason}.`);
}
