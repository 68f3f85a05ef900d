import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { brandedHeaders, type Operation, type OperationId, operations } from '@servery/contract';
import { monotonicMs } from '@servery/support/clock.ts';
import { newRandomId } from '@servery/support/ids.ts';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { ApiError } from '../errors.ts';
import { ReadyPath } from '../fast/ready-path.ts';
import { type HandedOver, RepeatPath } from '../fast/repeat-path.ts';
import { RequestNotes } from '../notes.ts';
import type { Answer, OperationHandlers } from '../operation.ts';
import { finishedRequest, logFieldsOf, tellFinished } from '../pipeline/finish.ts';
import { isExplained } from '../pipeline/is-explained.ts';
import { faultsText } from '../pipeline/ordered-faults.ts';
import { type Exchange, type Handler, isHidden, runPipeline } from '../pipeline/pipeline.ts';
import { completeAnswer, type WireAnswer } from '../pipeline/send.ts';
import { addressOfRequests } from './address.ts';
import { arrivalLimits, hangUpLate, REQUEST_TIMEOUT_MS } from './arrival-limits.ts';
import { refuseBrokenHttp } from './broken-http.ts';
import { type Connections, tooManyConnections } from './connections.ts';
import type { ConsoleFiles } from './console-files.ts';
import { answerWhileSent } from './discard.ts';
import { Entering } from './entering.ts';
import type { AnsweringEnvironment, EnvironmentDeps, SandboxEntrance } from './environments.ts';
import { refusalPage } from './refusal-page.ts';
import { asApiError, renderErrorInTurns } from './render-error.ts';
import { type RequestHead, requestHeadCheck } from './request-head.ts';
import { isPathOf, originForm, splitTarget } from './request-target.ts';
import { sendSpoilt } from './send-spoilt.ts';
import type { Certificate } from './tls.ts';

export interface ApplicationDeps extends EnvironmentDeps {
  readonly trustedProxies: readonly string[];
  readonly connections?: Connections;
  readonly sandboxEntrance?: SandboxEntrance;
  readonly consoleFiles?: ConsoleFiles;
  readonly toolServer?: ToolServer;
}

export type ToolServerEnvironment = Pick<EnvironmentDeps, 'baseUrl' | 'log'>;

/** Answers requests of a sandbox that are no operations, but call some `within` the process. */
export interface ToolServer {
  isFor(request: IncomingMessage): boolean;
  serve(
    environment: ToolServerEnvironment,
    request: IncomingMessage,
    response: ServerResponse,
    within: RequestListener,
  ): Promise<void>;
}

/** One router serves all environments: what a request meets depends on its environment. */
export function createApplication(
  deps: ApplicationDeps,
  handlers: OperationHandlers,
): FastifyInstance {
  const app = fastify({
    logger: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: 'idle',
    // A target that is no path matches no operation and fails the checks in their order.
    rewriteUrl: ({ url = '/' }) => originForm(url) ?? '/.undecodable',
    // Node.js limits the whole request line; a long parameter is simply not found. `isPathOf` judges
    // a slash at the end.
    routerOptions: { maxParamLength: 16_384, ignoreTrailingSlash: true },
    http: LISTENER_OPTIONS,
    // Requests under way are served, then the connection closes.
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => refuseBrokenHttp(deps, error, socket as Socket),
  });
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
    hangUpLate(app.server);
  });
  const { connections, trustedProxies, sandboxEntrance, consoleFiles, toolServer } = deps;
  const shared = {
    ...(connections && { connections }),
    addressOf: addressOfRequests(trustedProxies),
    isClosing: () => isClosing,
  };
  const main = faceOf(shared, { deps, handlers });
  const entering =
    sandboxEntrance && new Entering(sandboxEntrance, (visited) => faceOf(shared, visited));
  const refusalOf = requestHeadCheck(deps.brand);
  const serve: Serve = (routed, request, reply) => {
    const { answering, handlers } = entering?.faceOf(request.raw) ?? main;
    const operation = routed && isPathOf(routed, pathOf(request)) ? routed : null;
    const handler = routed && (handlers[routed.id as OperationId] as Handler);
    const work = async (exchange: Exchange) => {
      const refusal = refusalOf(request.raw) ?? entering?.refusalOf(request.raw);
      if (refusal) throw refusal;
      // Health checks are answered even at the limit.
      const isHealth = operation?.id.startsWith('health.') === true;
      if (!isHealth && connections?.isRefused(request.raw)) throw tooManyConnections();
      return await runPipeline(answering, exchange, handler);
    };
    return respond(answering, operation, work, request, reply);
  };
  const fail = (...[operation, error, request, reply]: Parameters<Fail>) => {
    const { answering } = entering?.faceOf(request.raw) ?? main;
    return respond(answering, operation, () => Promise.reject(error), request, reply);
  };
  // The pipeline reads bodies after the checks that come before them (API-5).
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  for (const operation of operations) {
    if (isHidden(deps, operation)) continue;
    app.route({
      method: operation.method,
      url: operation.path.replaceAll(/\{([^}]+)\}/g, ':$1'),
      handler: (request, reply) => serve(operation, request, reply),
      errorHandler: (error, request, reply) => {
        forgetHeaders(reply);
        // The framework rejects a malformed Content-Type before the handler; the pipeline has its
        // own answer. Later failures must not run the handler again.
        return error.code?.startsWith('FST_ERR_CTP')
          ? serve(operation, request, reply)
          : fail(operation, error, request, reply);
      },
    });
  }
  app.setNotFoundHandler((request, reply) => serve(null, request, reply));
  app.setErrorHandler((_error, request, reply) => serve(null, request, reply));
  const listener = listenerOf(
    app,
    { main, entering, connections, consoleFiles, toolServer },
    (head) => !refusalOf(head),
  );
  app.server.removeAllListeners('request').on('request', listener);
  app.server.on('checkExpectation', listener);
  connections?.watch(app.server);
  listeners.set(app, listener);
  return app;
}

type Serve = (
  operation: Operation | null,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply>;

interface Face {
  readonly answering: Answering;
  readonly handlers: OperationHandlers;
}

function faceOf(
  shared: Pick<Answering, 'connections' | 'addressOf' | 'isClosing'>,
  { deps, handlers }: AnsweringEnvironment,
): Face {
  const answering = { ...deps, ...shared, fast: null };
  if (!deps.cache) return { answering, handlers };
  const needs = { ...answering, ...deps.cache };
  const fast = { ready: new ReadyPath(needs), repeat: new RepeatPath(needs) };
  return { answering: { ...answering, fast }, handlers };
}

const listeners = new WeakMap<FastifyInstance, RequestListener>();

function listenerOf(
  app: FastifyInstance,
  { main, entering, connections, consoleFiles, toolServer }: Entrance,
  isSound: (head: RequestHead) => boolean,
): RequestListener {
  const route: RequestListener = (request, response) => app.routing(request, response);
  const serve = (
    face: Face | null,
    isWholeWay: boolean,
    request: IncomingMessage,
    response: ServerResponse,
  ) => {
    if (face && !isWholeWay && consoleFiles?.isFor(request)) {
      void consoleFiles.serve(face.answering, request, response);
      return;
    }
    if (face?.answering.isSandbox && !isWholeWay && toolServer?.isFor(request)) {
      void toolServer.serve(face.answering, request, response, (inner, answer) => {
        entering?.stay(inner, face);
        route(inner, answer);
      });
      return;
    }
    const { fast = null, faults } = face?.answering ?? {};
    if (!fast || isWholeWay || faults?.mayTouch(request)) {
      route(request, response);
      return;
    }
    const path = request.method === 'POST' ? fast.repeat : fast.ready;
    path.serve(request, response, () => route(request, response));
  };
  return (request, response) => {
    const isBeyondLimit = connections?.begin(request, response) ?? false;
    const isWholeWay = isBeyondLimit || !isSound(request);
    const entered = entering?.enter(request, response) ?? null;
    if (entered === null) serve(main, isWholeWay, request, response);
    else void entered.then((face) => serve(face, isWholeWay, request, response));
  };
}

interface Entrance {
  readonly main: Face;
  readonly entering: Entering<Face> | undefined;
  readonly connections: Connections | undefined;
  readonly consoleFiles: ConsoleFiles | undefined;
  readonly toolServer: ToolServer | undefined;
}

/** The pipeline answers a missing Host header. */
const LISTENER_OPTIONS = { requireHostHeader: false, ...arrivalLimits };

/** Limits how long a connection without a handshake holds a descriptor. */
const HANDSHAKE_TIMEOUT_MS = 10_000;

export function createTlsListener(
  app: FastifyInstance,
  certificate: Certificate,
  connections?: Connections,
): Server {
  const { keepAliveTimeout } = app.server;
  const handshakeTimeout = HANDSHAKE_TIMEOUT_MS;
  const options = { ...certificate, ...LISTENER_OPTIONS, keepAliveTimeout, handshakeTimeout };
  const server = createServer(options, listeners.get(app) ?? app.routing);
  for (const event of ['clientError', 'checkExpectation']) {
    server.on(event, (...values) => app.server.emit(event, ...values));
  }
  connections?.watch(server);
  return server;
}

/** Headers of an answer that could not be sent must not spoil the next one. */
function forgetHeaders(reply: FastifyReply): void {
  for (const name of Object.keys(reply.getHeaders())) reply.removeHeader(name);
}

type Fail = (operation: Operation | null, error: unknown, ...rest: Routed) => Promise<FastifyReply>;
type Routed = [request: FastifyRequest, reply: FastifyReply];

interface Answering extends EnvironmentDeps {
  readonly connections?: Connections;
  readonly addressOf: (raw: IncomingMessage) => string;
  readonly isClosing: () => boolean;
  readonly fast: { readonly ready: ReadyPath; readonly repeat: RepeatPath } | null;
}

async function respond(
  deps: Answering,
  operation: Operation | null,
  work: (exchange: Exchange) => Promise<Answer>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const before = deps.fast?.repeat.handedOver(request.raw) ?? null;
  const moment = deps.fast?.ready.begin() ?? 0;
  const exchange = open(deps, operation, request, before);
  const { answer, error } = await answerOf(deps, exchange, work);
  const wire = await completeAnswer(deps.brand, exchange, answer);
  const fault = faultsText(exchange.fault);
  if (fault) wire.headers[brandedHeaders(deps.brand).sandboxFault.toLowerCase()] = fault;
  if (answer.ready) deps.fast?.ready.remember(exchange, answer.ready, moment);
  if (answer.repeat) deps.fast?.repeat.remember(exchange, answer.repeat);
  if (deps.isClosing() || deps.connections?.isRefused(request.raw)) {
    wire.headers.connection = 'close';
  }
  const durationMs = Math.round((monotonicMs() - exchange.startedMs) * 100) / 100;
  deps.log.debug({ ...logFieldsOf(exchange), status: wire.status, durationMs }, 'request');
  const sent = send(reply, wire, exchange);
  tellFinished(deps, finishedRequest(deps.brand, { exchange, wire, error, durationMs }));
  return sent;
}

function send(reply: FastifyReply, wire: WireAnswer, { fault, raw }: Exchange): FastifyReply {
  if (fault?.delivery) return sendSpoilt(reply, wire, fault.delivery);
  reply.code(wire.status).headers(wire.headers);
  return wire.stream ? sendStream(reply, wire.stream, raw.method) : sendBytes(reply, wire, raw);
}

/** A client that is still sending must be able to read why the connection closes. */
function sendBytes(reply: FastifyReply, wire: WireAnswer, request: IncomingMessage): FastifyReply {
  const { bytes, headers } = wire;
  if (bytes === null || request.complete || headers.connection !== 'close') {
    return reply.send(bytes ?? undefined);
  }
  reply.header('content-length', bytes.length);
  return reply.send(Readable.from(answerWhileSent(bytes, request)));
}

const SLOW_READER_MS = 30_000;

/** Ends the iteration when the reader goes away. HEAD sends only the headers. */
function sendStream(
  reply: FastifyReply,
  stream: AsyncIterable<string>,
  method: string | undefined,
): FastifyReply {
  const body = Readable.from(stream);
  if (method !== 'HEAD') {
    reply.raw.setTimeout(SLOW_READER_MS, () => reply.raw.destroy());
    return reply.send(body);
  }
  body.destroy();
  return reply.send();
}

function open(
  deps: Answering,
  operation: Operation | null,
  request: FastifyRequest,
  before: HandedOver | null,
): Exchange {
  return {
    requestId: newRandomId(),
    nowMs: before?.nowMs ?? deps.clock.nowMs(),
    realNowMs: before?.realNowMs ?? deps.realClock.nowMs(),
    startedMs: before?.startedMs ?? monotonicMs(),
    raw: request.raw,
    url: request.originalUrl,
    path: pathOf(request),
    remoteAddress: deps.addressOf(request.raw),
    params: request.params as Record<string, string>,
    query: firstValues(splitTarget(request.originalUrl)[1]),
    operation,
    caller: null,
    restaurant: null,
    along: null,
    rate: before?.rate ?? deps.fast?.ready.takenFrom(request.raw) ?? null,
    check: 'token',
    requestBytes: before?.requestBytes ?? null,
    // Before the card is known, nobody knows where in a payment its number is (PAY-14).
    kept: operation?.id === 'creditCards.authorize' ? 'head' : 'all',
    notes: isExplained(deps, request.raw) ? new RequestNotes() : null,
    fault: null,
  };
}

async function answerOf(
  deps: EnvironmentDeps,
  exchange: Exchange,
  work: (exchange: Exchange) => Promise<Answer>,
): Promise<{ readonly answer: Answer; readonly error: ApiError | null }> {
  try {
    return { answer: await work(exchange), error: null };
  } catch (thrown) {
    const error = asApiError(thrown, exchange.requestId);
    logFailure(deps, exchange, error);
    const { isSandbox } = deps;
    const context = { ...exchange, baseUrl: deps.baseUrl(), isSandbox, isExplained: isSandbox };
    const answer = refusalPage(error, context) ?? (await renderErrorInTurns(error, context));
    return { answer, error };
  }
}

/** Unavailability without a cause is only overload, which is not logged. */
function logFailure(deps: EnvironmentDeps, exchange: Exchange, error: ApiError): void {
  const fields = logFieldsOf(exchange);
  if (error.errorClass === 'unavailable' && error.cause !== undefined) {
    deps.log.warn({ ...fields, reason: String(error.cause) }, 'unavailable');
  } else if (error.errorClass === 'internal') {
    deps.log.error({ ...fields, err: error.cause ?? error }, 'failed');
  }
}

function pathOf({ originalUrl }: FastifyRequest): string {
  return splitTarget(originForm(originalUrl) ?? originalUrl)[0];
}

/** URLSearchParams reads `+` as a blank, which timestamps rely on (API-8). */
function firstValues(search: string): Record<string, string | undefined> {
  if (search === '') return {};
  const values = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(search)) {
    if (!values.has(name)) values.set(name, value);
  }
  return Object.fromEntries(values);
}
