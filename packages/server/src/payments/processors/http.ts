import { Agent, STATUS_CODES } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import { errorKind } from '@servery/card-simulator/error-kind.ts';
import { exchange, NothingSent, type Received } from '@servery/card-simulator/exchange.ts';
import type { Fault } from '@servery/card-simulator/faults.ts';
import type { Operation, Orders, ProcessorAnswer } from '@servery/card-simulator/messages.ts';
import {
  callHeaders,
  FAULT_HEADER,
  LEDGER_HEADER,
  PROTOCOL,
  readAnswer,
  WrongShape,
} from '@servery/card-simulator/protocol.ts';
import type { Secret } from '@servery/support/secret.ts';
import { withoutCardData } from './outside-words.ts';
import { type Processor, wireAuthorizationOf } from './processor.ts';

export interface HttpProcessorOptions {
  readonly url: () => string | null;
  readonly secret: Secret | null;
  /** The ledger that calls are meant for; null or absent when unknown. */
  readonly ledger?: () => string | null;
  /** Shared with other processors at the same address. */
  readonly agents?: HttpAgents;
}

export interface HttpAgents {
  readonly http: Agent;
  readonly https: TlsAgent;
}

export function keepAliveAgents(): HttpAgents {
  return { http: new Agent({ keepAlive: true }), https: new TlsAgent({ keepAlive: true }) };
}

export interface HttpProcessor extends Processor {
  close(): void;
}

/**
 * A call without a connection surely wasn't processed. Anything else that isn't a sound answer to
 * this call is unknown. No text of an answer carries card data on (PAY-I7).
 */
export function httpProcessor(options: HttpProcessorOptions): HttpProcessor {
  const agents = options.agents ?? keepAliveAgents();
  const ask = <Name extends Operation>(name: Name, order: Orders[Name], ...how: How) =>
    post(options, agents, name, order, ...how);
  return {
    authorize: (order, ...how) => ask('authorize', wireAuthorizationOf(order), ...how),
    inquire: ({ key }, ...how) => ask('inquire', { key }, ...how),
    capture: ({ key, authorizationKey, amountMinor, currencyCode }, ...how) =>
      ask('capture', { key, authorizationKey, amountMinor, currencyCode }, ...how),
    void: ({ key, authorizationKey }, ...how) => ask('void', { key, authorizationKey }, ...how),
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

type How = [signal: AbortSignal, fault?: Fault];

async function post<Name extends Operation>(
  { url, secret, ledger }: HttpProcessorOptions,
  agents: HttpAgents,
  name: Name,
  order: Orders[Name],
  ...[signal, fault]: How
): Promise<ProcessorAnswer> {
  const base = url();
  if (base === null) return notProcessed('the processor does not run at this moment');
  const headers = callHeaders(secret);
  const ledgerId = ledger?.() ?? null;
  if (ledgerId !== null) headers[LEDGER_HEADER] = ledgerId;
  if (fault) headers[FAULT_HEADER] = JSON.stringify(fault);
  const agent = base.startsWith('https:') ? agents.https : agents.http;
  const body = JSON.stringify({ protocol: PROTOCOL, ...order });
  try {
    const request = { method: 'POST', agent, headers, signal };
    const received = await exchange(`${base}/${name}`, request, body);
    return judge(name, order, received);
  } catch (error) {
    if (error instanceof NothingSent) {
      return notProcessed(`the processor was not reached (${error.message})`);
    }
    return unknown(`the connection to the processor broke (${errorKind(error)})`);
  }
}

function judge(
  name: Operation,
  order: Orders[Operation],
  { status, text }: Received,
): ProcessorAnswer {
  let wire: ReturnType<typeof readAnswer>;
  try {
    wire = readAnswer(name, JSON.parse(text));
  } catch (error) {
    const reason = error instanceof WrongShape ? error.message : 'it is not JSON';
    return unknown(`the answer (${nameOf(status)}) cannot be read: ${reason}`);
  }
  const { key, answer } = wire;
  const isRefused = answer.outcome === 'notProcessed';
  // A processor that couldn't read the request can't know its key.
  if (key !== order.key && !(key === null && isRefused)) {
    return unknown('the answer is to a call with another key');
  }
  if (status !== 200 && !isRefused) return unknown(`the answer has the status ${nameOf(status)}`);
  return withoutCardData(answer, order);
}

/** Our own words: three digits of a foreign status could be a security code. */
function nameOf(status: number): string {
  return STATUS_CODES[status] ?? 'of no known kind';
}

function notProcessed(explanation: string): ProcessorAnswer {
  return { outcome: 'notProcessed', isUnsent: true, explanation };
}

function unknown(explanation: string): ProcessorAnswer {
  return { outcome: 'unknown', explanation };
}
