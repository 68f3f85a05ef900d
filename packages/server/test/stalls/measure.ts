import { randomUUID } from 'node:crypto';
import { type Operation, operations, parametersOf } from '@servery/contract';
import { type AccessFixture, openAccessFixture } from '../access/fixture.ts';
import { samples } from '../access/samples.ts';
import { type HostileRequest, hostileRequests } from './hostile-requests.ts';
import { fillRestaurant, plainBodies } from './plain-requests.ts';
import { type Sender, startSender } from './sender.ts';
import type { SentRequest } from './sender-thread.ts';
import { startTurnMeter, type TurnMeter } from './turn-meter.ts';

/** No request within the limits may hold the event loop for longer, in milliseconds (API-12). */
export const HELD_AT_MOST_MS = 20;

/** What held the event loop longest of all that an operation was sent. */
export interface Held {
  readonly operation: string;
  readonly longestMs: number;
  /** What was sent then. */
  readonly input: string;
  readonly status: number;
  readonly requests: number;
}

/** Which operations are measured, and how. */
export interface MeasureOptions {
  readonly isShort: boolean;
  readonly only?: (operation: Operation) => boolean;
  /** What is too long, in milliseconds. */
  readonly limitMs: number;
  /** How often a request that held the loop for too long may try again: the least time counts. */
  readonly tries: number;
  readonly onHeld?: (held: Held) => void;
}

/**
 * Sends hostile requests within the limits to every operation of the contract that takes a text,
 * which is all of them, and measures how long each holds the event loop of the server. Time is the
 * processor's, so that a stalled machine adds nothing; what counts of a request is the least of
 * several tries, since the first ones also compile the code and collect garbage of others.
 */
export async function measureHolds(options: MeasureOptions): Promise<Held[]> {
  const fixture = await openAccessFixture();
  const sender = startSender();
  const meter = startTurnMeter();
  try {
    const stage = { fixture, sender, meter, bodies: await plainBodies(fixture) };
    await fillRestaurant(fixture);
    const measured: Held[] = [];
    // Tokens end when the clock moves, so that is done last.
    const movesClock = ({ id }: Operation) => Number(id.startsWith('backOffice.clock.'));
    const inOrder = [...operations].sort((one, other) => movesClock(one) - movesClock(other));
    for (const operation of inOrder.filter((each) => options.only?.(each) ?? true)) {
      const held = await measureOperation(stage, operation, options);
      measured.push(held);
      options.onHeld?.(held);
    }
    return measured;
  } finally {
    await meter.stop();
    await sender.stop();
    await fixture.close();
  }
}

interface Stage {
  readonly fixture: AccessFixture;
  readonly sender: Sender;
  readonly meter: TurnMeter;
  readonly bodies: Readonly<Record<string, unknown>>;
}

async function measureOperation(
  stage: Stage,
  operation: Operation,
  { isShort, limitMs, tries }: MeasureOptions,
): Promise<Held> {
  let worst = { longestMs: -1, input: '', status: 0 };
  const credentials = await credentialsFor(stage.fixture, operation);
  let requests = 0;
  for (const hostile of hostileRequests(operation, stage.bodies[operation.id], isShort)) {
    const sent = requestOf(stage, operation, hostile, credentials);
    let least = await measureOnce(stage, sent);
    for (let tried = 1; tried < tries && least.longestMs > limitMs; tried += 1) {
      const again = await measureOnce(stage, sent);
      if (again.longestMs < least.longestMs) least = again;
    }
    requests += 1;
    if (least.longestMs > worst.longestMs) worst = { ...least, input: hostile.input };
  }
  return { operation: operation.id, ...worst, requests };
}

async function measureOnce({ sender, meter }: Stage, request: SentRequest) {
  meter.takeLongestMs();
  const status = await sender.send(request);
  return { status, longestMs: meter.takeLongestMs() };
}

/** The request as somebody sends it who may: a person where one may, else a client. */
function requestOf(
  { fixture }: Stage,
  operation: Operation,
  hostile: HostileRequest,
  credentials: Readonly<Record<string, string>>,
): SentRequest {
  const [side] = fixture.sides;
  if (!side) throw new Error('the test platform has no side');
  const guid = side.restaurant.guid ?? '';
  const examples = Object.fromEntries(
    parametersOf(operation.params).map(({ name, example }) => [name, String(example)]),
  );
  const params: Record<string, string> = {
    ...examples,
    merchantUuid: guid,
    restaurantGuid: guid,
    restaurantGUID: guid,
    managementGroupGuid: side.group.guid ?? '',
    managementGroupGUID: side.group.guid ?? '',
    // Each is another payment, which is authorized.
    ...(operation.id === 'creditCards.authorize' && { paymentUuid: randomUUID() }),
    ...samples[operation.id]?.params?.(side),
    ...hostile.params,
  };
  const path = operation.path.replace(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const { requestBody } = operation;
  const type = requestBody ? { 'content-type': requestBody.contentTypes[0] ?? '' } : {};
  return {
    url: `${fixture.deps.url}${path}${hostile.query === undefined ? '' : `?${hostile.query}`}`,
    method: operation.method,
    headers: {
      'platform-restaurant-external-id': guid,
      ...credentials,
      ...type,
      ...hostile.headers,
    },
    body: requestBody ? (hostile.body ?? '{}') : null,
  };
}

async function credentialsFor(
  { callers }: AccessFixture,
  operation: Operation,
): Promise<Readonly<Record<string, string>>> {
  if (operation.security === 'none') return {};
  const named = (name: string) => callers.find((caller) => caller.name === name);
  const isOfPartner = ['partners', 'platform'].includes(operation.interface);
  const caller =
    operation.interface === 'backOffice'
      ? callers.find(({ role, place }) => role === 'OPERATOR' && place?.kind === 'platform')
      : named(isOfPartner ? 'a PARTNER client of a partner' : 'a CUSTOMER client of a group');
  if (!caller) throw new Error(`nobody may call ${operation.id}`);
  return await caller.headers();
}
