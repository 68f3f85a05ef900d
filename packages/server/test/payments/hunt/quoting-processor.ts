import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Operation, Orders } from '@servery/card-simulator/messages.ts';

type Authorization = Orders['authorize'];

/** An answer in the raw. */
interface Reply {
  readonly status?: number;
  readonly statusText?: string;
  readonly location?: string;
  readonly body?: string;
  /** Sent as it is, in place of everything else. */
  readonly noHttp?: string;
}

/** What a quote is made of. */
interface Quoting {
  readonly key: string;
  readonly words: string;
  readonly sentence: string;
  readonly approval: object;
}

const answer = (key: string, given: object): Reply => ({
  body: JSON.stringify({ protocol: 1, key, answer: given }),
});

const explained =
  (outcome: string) =>
  ({ key, sentence }: Quoting) =>
    answer(key, { outcome, explanation: sentence });

const approved =
  (field: string) =>
  ({ key, words, approval }: Quoting) =>
    answer(key, { ...approval, [field]: words });

const replies = {
  notProcessed: explained('notProcessed'),
  notFound: explained('notFound'),
  unknown: explained('unknown'),
  reference: approved('reference'),
  authorizationCode: approved('authorizationCode'),
  outcome: approved('outcome'),
  more: approved('more'),
  responseCode: ({ key, words }: Quoting) =>
    answer(key, { outcome: 'declined', responseCode: words }),
  key: ({ words, approval }: Quoting) => answer(words, approval),
  errorBody: ({ sentence }: Quoting) => ({ status: 502, body: `<h1>${sentence}</h1>` }),
  brokenJson: ({ words }: Quoting) => ({ body: `{"protocol":1,"key":"${words}` }),
  statusText: ({ words, sentence }: Quoting) => ({
    ...{ status: 500, statusText: sentence },
    body: JSON.stringify({ error: words }),
  }),
  location: ({ words }: Quoting) => ({ status: 307, location: `/${encodeURI(words)}` }),
  noHttp: ({ words }: Quoting) => ({ noHttp: `HTTP/1.1 200 OK\r\n${words}\r\n\r\n` }),
} satisfies Record<string, (quoting: Quoting) => Reply>;

/** Where in an answer the processor quotes what it was sent. */
export type Channel = keyof typeof replies;

/** All of them: each has words that could get into tables or logs. */
export const channels = Object.keys(replies) as Channel[];

/** What the processor does with one card: it quotes `words` once, in its answer to `operation`. */
interface Quote {
  readonly operation: Operation;
  readonly channel: Channel;
  readonly words: string;
}

/** A processor that approves everything, and quotes card data while it does. */
export interface QuotingProcessor {
  readonly url: string;
  /** Whether the quote for the card of that number was given. */
  hasGiven(cardNumber: string): boolean;
  /** Orders the quote for the card of that number. */
  order(cardNumber: string, quote: Quote): void;
  close(): Promise<void>;
}

/** Connections are kept longer than a client keeps them, which then never meets a closed one. */
const KEEP_ALIVE_MS = 65_000;

/** Starts one on a port of its own. */
export async function startQuotingProcessor(): Promise<QuotingProcessor> {
  const quotes = new Map<string, Quote>();
  const payments = new Map<string, Authorization>();
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return send(response, { status: 404 });
    const operation = (request.url ?? '').slice(1) as Operation;
    const order = JSON.parse(await text(request)) as { key: string };
    const paymentId = order.key.split(':')[1] ?? '';
    if (operation === 'authorize') payments.set(paymentId, order as Authorization);
    const payment = payments.get(paymentId);
    if (!payment) return send(response, { status: 500 });
    const { amountMinor, currencyCode, card } = payment;
    const money = { amountMinor, currencyCode };
    const approval = { ...approvalOfAll, ...money };
    const quote = quotes.get(card.number);
    if (quote?.operation === operation) {
      quotes.delete(card.number);
      const { channel, words } = quote;
      const sentence = `the card ${words} does not match`;
      return send(response, replies[channel]({ key: order.key, words, sentence, approval }));
    }
    // What is lost has to be inquired.
    if (quote?.operation === 'inquire') response.destroy();
    else send(response, answer(order.key, approval));
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    hasGiven: (cardNumber) => !quotes.has(cardNumber),
    order: (cardNumber, quote) => void quotes.set(cardNumber, quote),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const approvalOfAll = {
  outcome: 'approved',
  authorizationCode: 'A1B2C3',
  reference: 'hold-a1',
};

function send(response: ServerResponse, reply: Reply): void {
  const { status = 200, statusText, location, body = '', noHttp } = reply;
  if (noHttp !== undefined) {
    response.socket?.end(noHttp);
    return;
  }
  response.statusCode = status;
  if (statusText !== undefined) response.statusMessage = statusText;
  if (location !== undefined) response.setHeader('location', location);
  response.end(body);
}
