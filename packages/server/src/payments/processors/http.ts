import { Agent, STATUS_CODES } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import { errorKind } from '@servery/card-simulator/error-kind.ts';
import { exchange, NothingSent, type Received } from '@servery/card-simulator/exchange.ts';
import type { Operation, Orders, ProcessorAnswer } from '@servery/card-simulator/messages.ts';
import {
  callHeaders,
  LEDGER_HEADER,
  PROTOCOL,
  readAnswer,
  WrongShape,
} from '@servery/card-simulator/protocol.ts';
import type { Secret } from '@servery/support/secret.ts';
import { withoutCardData } from './outside-words.ts';
import type { Processor } from './processor.ts';
import { wireAuthorizationOf } from './wire-authorization.ts';

/** Where a processor is reached, and how it knows who asks. */
export interface HttpProcessorOptions {
  /** The base address at this moment, without a trailing slash; null while there is none. */
  readonly url: () => string | null;
  /** Sent as a bearer token, where there is one. */
  readonly secret: Secret | null;
  /** The ledger that calls are meant for; null or absent where none is known. */
  readonly ledger?: () => string | null;
}

/** A processor behind HTTP. */
export interface HttpProcessor extends Processor {
  /** Closes the connections that are kept for the next call. */
  close(): void;
}

/**
 * Reaches a processor by the protocol of docs/reference/processor-protocol.md. Where no connection came about, the
 * call was surely not processed; everything else that is not a sound answer to this very call is
 * unknown. No word of an answer carries card data on (PAY-I7).
 */
export function httpProcessor(options: HttpProcessorOptions): HttpProcessor {
  const agents = { http: new Agent({ keepAlive: true }), https: new TlsAgent({ keepAlive: true }) };
  const ask = <Name extends Operation>(name: Name, order: Orders[Name], signal: AbortSignal) =>
    post(options, agents, name, order, signal);
  return {
    authorize: (order, signal) => ask('authorize', wireAuthorizationOf(order), signal),
    inquire: ({ key }, signal) => ask('inquire', { key }, signal),
    capture: ({ key, authorizationKey, amountMinor, currencyCode }, signal) =>
      ask('capture', { key, authorizationKey, amountMinor, currencyCode }, signal),
    void: ({ key, authorizationKey }, signal) => ask('void', { key, authorizationKey }, signal),
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

async function post<Name extends Operation>(
  { url, secret, ledger }: HttpProcessorOptions,
  agents: { readonly http: Agent; readonly https: TlsAgent },
  name: Name,
  order: Orders[Name],
  signal: AbortSignal,
): Promise<ProcessorAnswer> {
  const base = url();
  if (base === null) return notProcessed('the processor does not run at this moment');
  const headers = callHeaders(secret);
  const ledgerId = ledger?.() ?? null;
  if (ledgerId !== null) headers[LEDGER_HEADER] = ledgerId;
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

/** What an answer says, once it is sure that it is an answer to this call. */
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
  // Before it could read a request, a processor cannot know its key.
  if (key !== order.key && !(key === null && isRefused)) {
    return unknown('the answer is to a call with another key');
  }
  if (status !== 200 && !isRefused) return unknown(`the answer has the status ${nameOf(status)}`);
  return withoutCardData(answer, order);
}

/** A status in words of this program's own: three digits of another's could be a security code. */
function nameOf(status: number): string {
  return STATUS_CODES[status] ?? 'of no known kind';
}

function notProcessed(explanation: string): ProcessorAnswer {
  return { outcome: 'notProcessed', isUnsent: true, explanation };
}

function unknown(explanation: string): ProcessorAnswer {
  return { outcome: 'unknown', explanation };
}
