import type { Clock } from '@servery/support/clock.ts';
import type { Database } from '../../database/database.ts';
import { OpenStreams, type StreamLimits } from '../../http/open-streams.ts';
import { TextStream } from '../../support/text-stream.ts';
import { listExtras } from '../delivery/queue-store.ts';
import { cursorText } from './cursor.ts';
import { upsertEventReaders } from './event-reader-store.ts';
import {
  type EventFilter,
  type EventPlace,
  findEventPlaces,
  listToldEvents,
} from './event-store.ts';

export interface EventStreamDeps {
  readonly database: Pick<Database, 'sql'>;
  readonly realClock: Clock;
  readonly onError: (error: unknown) => void;
  readonly limits?: StreamLimits;
}

interface AskedStream extends EventFilter {
  readonly clientId: string;
  readonly from: EventPlace;
  readonly missedCount: number;
  /** Checks current rights, not those at the start. */
  readonly mayRead: () => Promise<boolean>;
}

const LIMITS: StreamLimits = { atMost: 200, atMostOfOne: 5 };
/** Events are not fetched before the reader took the earlier ones. */
const BATCH = 50;
const PIECES_AT_MOST = 4;
const QUIET_LOOKS = 60;
const RIGHTS_LOOKS = 10;
const READER_LOOKS = 240;

export class EventStreams {
  readonly #deps: EventStreamDeps;
  readonly #streams: OpenStreams<EventStream>;
  #looks = 0;

  constructor(deps: EventStreamDeps) {
    this.#deps = deps;
    this.#streams = new OpenStreams(deps.limits ?? LIMITS);
  }

  /** Throws ApiError `tooManyRequests` beyond the limits of the process or the client. */
  open(asked: AskedStream): AsyncIterable<string> {
    return this.#streams.open(asked.clientId, (onEnd) => new EventStream(this.#deps, asked, onEnd));
  }

  async look(): Promise<void> {
    const { sql } = this.#deps.database;
    const streams = this.#streams.all;
    if (streams.length === 0) return;
    this.#looks += 1;
    if (this.#looks % READER_LOOKS === 0) {
      const clientIds = [...new Set(streams.map(({ by }) => by))];
      await upsertEventReaders(sql, clientIds, this.#deps.realClock.nowMs());
    }
    const partners = new Set(streams.map(({ partnerGuid }) => partnerGuid));
    const places = await findEventPlaces(sql, [...partners]);
    const looks = streams.map((stream) => {
      const newest = places.get(stream.partnerGuid);
      return newest && stream.look(newest).catch(this.#deps.onError);
    });
    await Promise.all(looks);
  }

  stop(): void {
    this.#streams.stop();
  }
}

class EventStream {
  readonly by: string;
  readonly partnerGuid: string;
  readonly text: TextStream;
  readonly #deps: EventStreamDeps;
  readonly #asked: AskedStream;
  #place: EventPlace;
  #isLooking = false;
  #quietLooks = 0;

  constructor(deps: EventStreamDeps, asked: AskedStream, onEnd: () => void) {
    this.by = asked.clientId;
    this.partnerGuid = asked.partnerGuid;
    this.#deps = deps;
    this.#asked = asked;
    this.#place = asked.from;
    const cursor = cursorText(asked.from);
    const { missedCount, eventTypes } = asked;
    const data = JSON.stringify({ cursor, missedCount, eventTypes });
    const ready = `retry: 1000\n\nid: ${cursor}\nevent: ready\ndata: ${data}\n\n`;
    this.text = new TextStream(ready, onEnd);
  }

  async look(newest: EventPlace): Promise<void> {
    if (this.#isLooking || this.text.isEnded) return;
    this.#isLooking = true;
    try {
      const isNew = newest.position > this.#place.position || newest.number > this.#place.number;
      if (isNew && this.text.length < PIECES_AT_MOST) await this.#tellNews(newest);
      else await this.#tellNothing();
    } finally {
      this.#isLooking = false;
    }
  }

  /** Extras come after all events that existed before them. */
  async #tellNews(newest: EventPlace): Promise<void> {
    const { sql } = this.#deps.database;
    const { position, number } = this.#place;
    const { eventTypes } = this.#asked;
    const events = { after: position, upTo: newest.position };
    const rows = await listToldEvents(sql, this.#asked, events, BATCH);
    const isAll = rows.length < BATCH;
    const found = isAll ? await listExtras(sql, this.partnerGuid, number, BATCH) : [];
    // A newer extra may repeat an event that the reader does not have yet.
    const extras = found.filter((extra) => extra.number <= newest.number);
    // AUTH-9: the right may have ended during the read. Unread events are discarded with it.
    if (!(await this.#asked.mayRead())) return this.text.breakOff();
    const texts: string[] = [];
    for (const row of rows) {
      this.#place = { ...this.#place, position: row.position };
      texts.push(this.#event('event', row.body));
    }
    if (isAll) this.#place = { ...this.#place, position: newest.position };
    for (const { number, kind, type, body } of extras) {
      this.#place = { ...this.#place, number };
      if (eventTypes.includes(type)) texts.push(this.#event(kind.toLowerCase(), body));
    }
    if (isAll && found.length < BATCH) this.#place = newest;
    // Moves the cursor past events that the filter skipped.
    texts.push(`id: ${cursorText(this.#place)}\n\n`);
    this.#quietLooks = 0;
    this.text.tell(texts.join(''));
  }

  async #tellNothing(): Promise<void> {
    this.#quietLooks += 1;
    const isAsked = this.#quietLooks % RIGHTS_LOOKS === 0;
    const isTold = this.#quietLooks % QUIET_LOOKS === 0 && this.text.length === 0;
    if (isAsked && !(await this.#asked.mayRead())) return this.text.breakOff();
    if (isTold) this.text.tell(': nothing new\n\n');
  }

  #event(type: string, body: string): string {
    return `id: ${cursorText(this.#place)}\nevent: ${type}\ndata: ${body}\n\n`;
  }
}
