import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Client } from '@servery/client/back-office';
import { verifyWebhook } from '@servery/client/webhooks';
import type { EventType, WebhookEvent } from '@servery/contract';
import { eventTypes } from '@servery/contract/schemas/event-types.ts';
import { nearestNames } from '@servery/support/nearest-names.ts';
import { LATE, within } from '@servery/support/timer.ts';

/** An event of that type. */
export type EventOf<Type extends EventType> = OfType<WebhookEvent, Type>;
type OfType<Event, Type extends EventType> = Event extends { readonly eventType: infer Types }
  ? Type extends Types
    ? Event & { readonly eventType: Type }
    : never
  : never;

/** Which event to wait for. */
export interface EventWait<Type extends EventType = EventType> {
  /** Only an event for which this is true. The demo group has payments and orders of its own. */
  readonly where?: (event: EventOf<Type>) => boolean;
  /** Milliseconds of real time. Default: 5,000. */
  readonly timeoutMs?: number;
}

type IsWanted = (event: WebhookEvent) => boolean;

interface Waiting {
  readonly isWanted: IsWanted;
  readonly take: (event: WebhookEvent) => void;
  readonly fail: (reason: unknown) => void;
}

const WAIT_MS = 5_000;
const WAIT_OPTIONS = ['where', 'timeoutMs'] satisfies (keyof EventWait)[];
/** More events are a list, not a hint. */
const SHOWN = 5;
const ACCEPTED = 204;
const REFUSED = 400;

/** A receiver on this machine, which gets the events of the partner and verifies each. */
export class SandboxWebhooks {
  readonly #server: Server;
  readonly #arrived: WebhookEvent[] = [];
  readonly #waiting: Waiting[] = [];
  readonly #refused: string[] = [];
  #secret = '';
  #problem: unknown = null;

  private constructor(server: Server) {
    this.#server = server;
    server.on('request', async (request, response) => {
      const isRight = await this.#receive(request.headers, await buffer(request));
      response.writeHead(isRight ? ACCEPTED : REFUSED).end();
    });
  }

  static async open(operator: Client, clientId: string): Promise<SandboxWebhooks> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    // A forgotten one must not keep a test process alive.
    server.unref();
    const webhooks = new SandboxWebhooks(server);
    const { port } = server.address() as AddressInfo;
    const body = { clientId, url: `http://127.0.0.1:${port}/` };
    try {
      const made = await operator.call('backOffice.webhooks.endpoints.create', { body });
      webhooks.#secret = made.secret;
    } catch (error) {
      // A platform on another machine can't reach this one: only those who wait for events mind.
      webhooks.#problem = error;
    }
    return webhooks;
  }

  /**
   * The next event, or the next of a type, that no call has given yet. Throws an Error if none comes
   * within five seconds of real time, and at once for a type or an option that there is not.
   */
  async next<Type extends EventType = EventType>(
    type?: Type,
    wait: EventWait<Type> = {},
  ): Promise<EventOf<Type>> {
    if (type !== undefined) refuseUnknown('event type', type, eventTypes);
    for (const option of Object.keys(wait)) refuseUnknown('option', option, WAIT_OPTIONS);
    if (this.#problem) throw this.#problem;
    const { where, timeoutMs = WAIT_MS } = wait;
    const isWanted: IsWanted = (event) =>
      (type === undefined || event.eventType === type) &&
      (where === undefined || where(event as EventOf<Type>));
    const at = this.#arrived.findIndex(isWanted);
    const [there] = at >= 0 ? this.#arrived.splice(at, 1) : [];
    if (there) return there as EventOf<Type>;
    let waiting: Waiting | undefined;
    const coming = new Promise<WebhookEvent>((take, fail) => {
      waiting = { isWanted, take, fail };
      this.#waiting.push(waiting);
    });
    const event = await within(coming, timeoutMs);
    if (event !== LATE) return event as EventOf<Type>;
    if (waiting) this.#forget(waiting);
    const wanted = `${type ?? 'event'}${where ? ' of which `where` is true' : ''}`;
    const wasSeen = (event: WebhookEvent) =>
      where !== undefined && (type === undefined || event.eventType === type);
    throw new Error(
      [`No ${wanted} came within ${timeoutMs / 1_000} seconds.`, ...this.#whatCame(wasSeen)].join(
        ' ',
      ),
    );
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #receive(headers: IncomingHttpHeaders, body: Buffer): Promise<boolean> {
    const verdict = await verifyWebhook(headers, body, this.#secret);
    if (!verdict.isValid) {
      this.#refused.push(verdict.explanation);
      return false;
    }
    const { event } = verdict;
    const waiting = this.#findWaiting(event);
    if (waiting) waiting.take(event);
    else this.#arrived.push(event);
    return true;
  }

  #findWaiting(event: WebhookEvent): Waiting | undefined {
    for (const waiting of [...this.#waiting]) {
      try {
        if (!waiting.isWanted(event)) continue;
        this.#forget(waiting);
        return waiting;
      } catch (error) {
        // `where` is the test's: it should hear of it where it waits.
        this.#forget(waiting);
        waiting.fail(error);
      }
    }
  }

  #forget(waiting: Waiting): void {
    this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
  }

  /** The latest events that `where` has seen with their details, and the types of the others. */
  #whatCame(wasSeen: IsWanted): string[] {
    const seen = this.#arrived.filter(wasSeen);
    const others = this.#arrived.filter((event) => !wasSeen(event));
    const came = [
      ...seen.slice(-SHOWN).map(shown),
      ...(seen.length > SHOWN ? [`${seen.length - SHOWN} before these`] : []),
      ...new Set(others.map(({ eventType }) => eventType)),
    ];
    return [
      ...(came.length > 0 ? [`What came: ${came.join(', ')}.`] : []),
      ...(this.#refused.length > 0 ? [`Refused: ${this.#refused.join(' ')}`] : []),
    ];
  }
}

/** An event with the details that are short: of an object, its GUID. */
function shown({ eventType, details }: WebhookEvent): string {
  const texts = Object.entries(details).flatMap(([name, value]: [string, unknown]) => {
    const short = (value as { readonly guid?: unknown } | null)?.guid ?? value;
    return short === null || typeof short === 'object' ? [] : [`${name}: ${short}`];
  });
  return `${eventType} { ${texts.join(', ')} }`;
}

function refuseUnknown(what: string, name: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  const [meant] = nearestNames(name, known);
  const advice = meant ? `Is "${meant}" meant?` : `There are: ${known.join(', ')}.`;
  throw new Error(`There is no ${what} "${name}". ${advice}`);
}
