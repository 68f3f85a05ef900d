import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { bodyBytesAtMost, errorClasses } from '@servery/contract';
import type { ToolServer, ToolServerEnvironment } from '../http/edge/application.ts';
import { originForm, splitTarget } from '../http/edge/request-target.ts';
import { ApiError } from '../http/errors.ts';
import { collectBytes } from '../http/pipeline/body.ts';
import { parseJsonInTurns } from '../http/pipeline/json.ts';

const PATH = /^\/mcp(?=[?]|$)/;
const ALLOW_WRITES = 'allowWrites';
/** As JSON-RPC has it for errors of servers. */
const SERVER_ERROR = -32_000;
const PASSED_ON = ['www-authenticate', 'retry-after'];

const NO_TOKEN =
  'There is no access token. Send the one of an API account: "Authorization: Bearer <token>". ' +
  '"servery token" prints one.';

/**
 * Serves the tools for assistants (MCP) at `/mcp` of a sandbox, over Streamable HTTP without sessions.
 * Each tool sends requests of the caller through the pipeline, where they count and are logged.
 */
export class McpEndpoint implements ToolServer {
  isFor({ url = '/' }: IncomingMessage): boolean {
    return url.startsWith('/mcp') && PATH.test(originForm(url) ?? '');
  }

  async serve(
    environment: ToolServerEnvironment,
    request: IncomingMessage,
    response: ServerResponse,
    within: RequestListener,
  ): Promise<void> {
    const answer = await answerOf(environment, request, within).catch((error: unknown) => {
      if (error instanceof ApiError) {
        const { status } = errorClasses[error.errorClass];
        return refusal(status, error.message, { ...error.headers });
      }
      environment.log.error({ err: error }, 'failed');
      return refusal(500, 'Something went wrong on our side. Try again later.');
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const headers = Object.fromEntries(answer.headers);
    response.writeHead(answer.status, {
      'cache-control': 'no-store',
      ...headers,
      'content-length': bytes.length,
      ...(!request.complete && { connection: 'close' }),
    });
    response.end(bytes);
  }
}

async function answerOf(
  environment: ToolServerEnvironment,
  request: IncomingMessage,
  within: RequestListener,
): Promise<Response> {
  const { method, headers, url = '' } = request;
  const baseUrl = environment.baseUrl();
  if (method !== 'POST') {
    return refusal(405, 'Send a message by POST: there are no sessions, and no stream.', {
      allow: 'POST',
    });
  }
  // A page of another origin could otherwise use a token that it got hold of, at an address that
  // only this machine reaches.
  if (headers.origin !== undefined && headers.origin !== new URL(baseUrl).origin) {
    return refusal(
      403,
      'Web pages of other origins may not use these tools: send no Origin header.',
    );
  }
  const [, accessToken] = /^bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  if (accessToken === undefined) {
    return refusal(401, NO_TOKEN, { 'www-authenticate': 'Bearer realm="api"' });
  }
  const [{ serveOverHttp, Tools }, { Client, PlatformFailed, Refused }, { namedTestCards }, send] =
    await Promise.all([
      import('@servery/mcp'),
      import('@servery/client/back-office'),
      import('../payments/cards/test-authorization.ts'),
      senderWithin(request, within),
    ]);
  let last: Response | null = null;
  const client = new Client({
    baseUrl,
    credentials: { accessToken },
    fetch: async (target, init) => {
      last = await send(String(target).slice(baseUrl.length), init);
      return last;
    },
  });
  const [, query] = splitTarget(url);
  const tools = new Tools({
    client,
    isSandbox: true,
    allowsWrites: new URLSearchParams(query).get(ALLOW_WRITES) === 'true',
    howToAllowWrites: `To allow others, connect to ${baseUrl}/mcp?${ALLOW_WRITES}=true.`,
    testCards: namedTestCards,
    onSandbox: async (created) =>
      `Its own tools are at ${created.baseUrl}/mcp, with a token of one of its accounts: ` +
      `"servery token --sandbox ${created.name}" prints one where the platform runs.`,
  });
  try {
    await tools.identify();
  } catch (error) {
    if (!(error instanceof Refused) && !(error instanceof PlatformFailed)) throw error;
    const { headers: own } = last ?? new Response();
    const passed = PASSED_ON.flatMap((name) => [[name, own.get(name)] as const]);
    const given = Object.fromEntries(passed.filter(([, value]) => value !== null));
    return refusal(error.status, error.message, given as Record<string, string>);
  }
  const message = await parseJsonInTurns((await readBody(request)).toString());
  const asWeb = new Request(`${baseUrl}/mcp`, { method, headers: headersFor(request) });
  return await serveOverHttp(tools, asWeb, message);
}

function readBody(request: IncomingMessage): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  collectBytes(request, bodyBytesAtMost, (outcome) => {
    if (Buffer.isBuffer(outcome)) resolve(outcome);
    else reject(outcome);
  });
  return promise;
}

/** What the transport looks at. */
function headersFor({ headers }: IncomingMessage): Record<string, string> {
  const names = ['accept', 'content-type', 'mcp-protocol-version'];
  const given = names.flatMap((name) => [[name, headers[name]] as const]);
  return Object.fromEntries(given.filter(([, value]) => typeof value === 'string')) as Record<
    string,
    string
  >;
}

type Send = (target: string, init?: RequestInit) => Promise<Response>;

/** Sends requests into this process, from where the outer request came. */
async function senderWithin(outer: IncomingMessage, within: RequestListener): Promise<Send> {
  const { default: inject } = await import('light-my-request');
  const { 'x-forwarded-for': forwarded, 'user-agent': agent, host } = outer.headers;
  const passed = { 'x-forwarded-for': forwarded, 'user-agent': agent, host };
  const known = Object.entries(passed).filter(([, value]) => value !== undefined);
  return async (target, { method = 'GET', headers, body } = {}) => {
    const sent = await inject(within, {
      method,
      url: target,
      remoteAddress: outer.socket.remoteAddress ?? '',
      headers: { ...Object.fromEntries(known), ...Object.fromEntries(new Headers(headers)) },
      ...(typeof body === 'string' && { payload: body }),
    });
    const answered = Object.entries(sent.headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((one): [string, string] => [name, String(one)]),
    );
    return new Response(sent.rawPayload, { status: sent.statusCode, headers: answered });
  };
}

function refusal(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const error = { code: SERVER_ERROR, message };
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status, headers });
}
