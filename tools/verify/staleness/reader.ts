import { hash } from 'node:crypto';
import { brandedHeaders, defaultBrand, machineClientAccessType } from '@servery/contract';
import { sleep } from '@servery/support/timer.ts';
import type { Lots } from '../crash/random.ts';
import { claimsOfEntry, claimsOfRefusal, watchedRights } from './access.ts';
import { loginOf, tokenIn } from './back-office.ts';
import { type Claim, claim, claimOfOther, Misfit, type Watched } from './claim.ts';
import { drawRead, type Read } from './draw-read.ts';
import type { Account, Fixture } from './fixture.ts';
import { KnownBodies, type Tags } from './known-bodies.ts';
import { type Look, type Span, Subject } from './subject.ts';
import type { Tally } from './tally.ts';
import { type Ask, textOf, type WireAnswer } from './wire.ts';

/** What readers lean on. */
export interface ReaderDeps {
  readonly fixture: Fixture;
  readonly ask: Ask;
  readonly tally: Tally;
  readonly servers: number;
  /** Whether what one resource has shown binds all others too, where only the second binds them. */
  readonly isStrict: boolean;
}

const names = brandedHeaders(defaultBrand);
const NEXT_PAGE = names.nextPageToken.toLowerCase();
const CODINGS = [undefined, 'identity', 'gzip', 'br', 'zstd', 'br, gzip, zstd;q=0.9'] as const;
const LOGIN_CHANCE = 0.04;
const CONDITION_CHANCE = 0.6;
const WALK_CHANCE = 0.6;
const OTHER_SERVER_CHANCE = 0.25;
const TOKENS_KEPT = 6;
/**
 * How often, at most, what was drawn is asked for in a row, as partners poll: the first time it is
 * read of the database, and from then on of what is remembered, while others change it.
 */
const MOST_POLLS = 24;
/** How long to wait where nobody answers. */
const AWAY_MS = 40;

/** What is asked of which server, and what had to be seen when it was. */
interface Turn {
  readonly read: Read;
  readonly server: number;
  readonly looks: ReadonlyMap<Watched, Look>;
  /** Bounds what a later page shows. */
  readonly span?: { readonly subject: Watched } & Span;
}

/** Reads what partners poll, and judges every answer. */
export class Reader {
  readonly #deps: ReaderDeps;
  readonly #bodies = new KnownBodies();

  constructor(deps: ReaderDeps) {
    this.#deps = deps;
  }

  /** Polls one thing at a server, some times in a row, with the pages that follow. */
  async poll(server: number, lots: Lots): Promise<void> {
    const { fixture } = this.#deps;
    if (lots.chance(LOGIN_CHANCE)) {
      await this.logIn(server, lots.pick(fixture.accounts));
      return;
    }
    const read = drawRead(fixture, lots);
    for (let left = lots.between(1, MOST_POLLS); left > 0; left -= 1) {
      const place = lots.chance(OTHER_SERVER_CHANCE) ? this.#anyServer(lots) : server;
      // Whoever is refused, or not answered, asks for something else.
      if (!(await this.#walk(read, place, lots))) return;
    }
  }

  /** Reads one thing, by lot with the pages that follow; gives whether the first was answered. */
  async #walk(read: Read, server: number, lots: Lots): Promise<boolean> {
    const first = await this.#ask(read, server, lots);
    if (!first || !lots.chance(WALK_CHANCE)) return first !== null;
    const span = read.walked ? { subject: read.walked, ...first.span } : undefined;
    let place = server;
    for (let shown: Shown | null = first; shown && shown.next !== null; ) {
      if (lots.chance(OTHER_SERVER_CHANCE)) place = this.#anyServer(lots);
      shown = await this.#ask(pageOf(read, shown.next), place, lots, span);
    }
    return true;
  }

  #anyServer(lots: Lots): number {
    return lots.between(0, this.#deps.servers - 1);
  }

  /** Logs an account in (AUTH-3: the same token again, until it is revoked). */
  async logIn(server: number, account: Account): Promise<void> {
    const { ask, tally } = this.#deps;
    const watched = [account.client, ...account.tokens.map(({ life }) => life)];
    const looks = this.#lookAt(watched, server, `login ${account.name}`);
    const userAccessType = machineClientAccessType(defaultBrand);
    const answer = await ask(server, loginOf({ ...account, userAccessType }));
    const endMs = performance.now();
    tally.count(`auth.login ${answer?.status ?? 'no answer'}`);
    if (!answer || answer.status === 503) return;
    tally.reads += 1;
    const isIn = answer.status === 200;
    if (!isIn && answer.status !== 401) {
      tally.accuse('unexplained', 'auth.login', textOf(answer));
      return;
    }
    const said = `${account.name} gets in: ${isIn}`;
    const claims: Claim[] = [claim(account.client, said, ({ isRevoked }) => isRevoked !== isIn)];
    if (isIn) {
      const text = tokenIn(textOf(answer));
      const known = account.tokens.find((token) => token.text === text);
      if (known && looks.has(known.life)) {
        claims.push(claim(known.life, 'it is the token', ({ isRevoked }) => !isRevoked));
      }
      if (!known) this.#keep(account, text);
    }
    this.#judge({ operation: 'auth.login', server, looks }, claims, endMs);
  }

  #keep({ name, tokens }: Account, text: string): void {
    const { fixture, servers } = this.#deps;
    const life = new Subject(`token ${tokens.length} of ${name}`, servers, { isRevoked: false });
    fixture.subjects.push(life);
    tokens.push({ text, life });
    // The oldest ones were revoked long ago.
    if (tokens.length > TOKENS_KEPT) tokens.shift();
  }

  async #ask(read: Read, server: number, lots: Lots, span?: Turn['span']): Promise<Shown | null> {
    const { ask, tally } = this.#deps;
    const { account, token, place } = read.asker;
    const key = `${read.path} ${place?.tag ?? ''} ${account.name}`;
    const tags = lots.chance(CONDITION_CHANCE) && !span ? this.#bodies.newest(key) : null;
    const coding = lots.pick(CODINGS);
    const headers = {
      authorization: `Bearer ${token.text}`,
      ...(place && { [names.restaurantExternalId]: place.guid }),
      ...(coding !== undefined && { 'accept-encoding': coding }),
      ...(tags && { 'if-none-match': [...tags.keys()].join(', ') }),
      ...(read.body !== undefined && { 'content-type': 'application/json' }),
    };
    const { method, path, body } = read;
    const watched = [...watchedRights(read.asker), ...read.watched];
    const looks = this.#lookAt(watched, server, `${read.resource} ${place?.tag} ${account.name}`);
    const asking = { method, path, headers, ...(body !== undefined && { body }) };
    const answer = await ask(server, asking);
    const endMs = performance.now();
    const status = answer?.status ?? 'no answer';
    tally.count(`${read.operation} ${status}`);
    if (!answer || answer.status === 503) {
      await sleep(AWAY_MS);
      return null;
    }
    tally.reads += 1;
    const turn = { read, server, looks, ...(span && { span }) };
    return this.#hear(turn, answer, { key, endMs, tags });
  }

  #hear(turn: Turn, answer: WireAnswer, { key, endMs, tags }: Circumstances): Shown | null {
    const { read, server, looks, span } = turn;
    const { tally } = this.#deps;
    try {
      const claims = this.#claimsOf(turn, answer, key, tags);
      const about = { operation: read.operation, server, looks, ...(span && { span }) };
      const state = this.#judge(about, claims, endMs, read.walked);
      if (answer.status !== 200 && answer.status !== 304) return null;
      const to = read.walked?.newestAt(endMs) ?? 0;
      return { next: nextOf(read, answer), span: { from: state ?? 0, to } };
    } catch (error) {
      if (!(error instanceof Misfit)) throw error;
      tally.accuse(error.kind, read.operation, `${this.#at(server)}: ${error.message}`);
      return null;
    }
  }

  #claimsOf(turn: Turn, answer: WireAnswer, key: string, tags: Tags | null): Claim[] {
    const { read, span } = turn;
    const { asker } = read;
    const { status, headers } = answer;
    if (status === 200 || status === 304) {
      const said = status === 200 ? this.#open(read, answer, key) : recall(headers.etag, tags);
      return [...claimsOfEntry(asker), ...said];
    }
    const text = textOf(answer);
    if (status === 409 && span) return [...claimsOfEntry(asker), claimOfOther(span.subject, span)];
    const refused = claimsOfRefusal(asker, status, text);
    if (refused) return refused;
    const own = read.refusal?.(status, text);
    if (!own) throw new Misfit('strange', `${status} ${text}`);
    return [...claimsOfEntry(asker), ...own];
  }

  /** What a body says; the same bytes under the same entity tag are read once. */
  #open(read: Read, answer: WireAnswer, key: string): readonly Claim[] {
    const { etag } = answer.headers;
    if (etag === undefined) return read.claims(JSON.parse(textOf(answer)));
    const digest = hash('sha1', answer.bytes, 'base64');
    const known = this.#bodies.find(key, etag);
    if (known?.digest === digest) return known.claims;
    if (known) throw new Misfit('mixed', `${key} ${etag} stands for two bodies`);
    const claims = read.claims(JSON.parse(textOf(answer)));
    this.#bodies.keep(key, etag, { digest, claims });
    return claims;
  }

  /** Judges every claim; gives the state of the walked thing that explains the answer. */
  #judge(
    { operation, server, looks, span }: Omit<Turn, 'read'> & { readonly operation: string },
    claims: readonly Claim[],
    endMs: number,
    walked: Watched | null = null,
  ): number | null {
    let shown: number | null = null;
    for (const each of claims) {
      const look = looks.get(each.subject);
      if (!look) throw new Error(`${each.subject.name} was not looked at`);
      const bounds = span?.subject === each.subject ? span : undefined;
      const { state, fault } = each.judge(look, endMs, bounds);
      if (each.subject === walked) shown = state;
      if (!fault) continue;
      const late = fault.lateMs === null ? '' : ` ${fault.lateMs} ms late,`;
      const times = `asked at ${Math.round(look.atMs)}, answered at ${Math.round(endMs)} ms`;
      const text = `${this.#at(server)}: ${each.subject.name}: ${each.said},${late} ${times}`;
      this.#deps.tally.accuse(fault.kind, operation, text);
    }
    return shown;
  }

  #lookAt(watched: readonly Watched[], server: number, resource: string): Map<Watched, Look> {
    const atMs = performance.now();
    const name = this.#deps.isStrict ? '' : resource;
    return new Map(watched.map((each) => [each, each.look(server, atMs, name)]));
  }

  #at(server: number): string {
    return `server-${server + 1}`;
  }
}

interface Circumstances {
  readonly key: string;
  readonly endMs: number;
  /** What the caller had, and said so. */
  readonly tags: Tags | null;
}

/** How a walk goes on: the token of the next page, and the states that it may show. */
interface Shown {
  readonly next: string | null;
  readonly span: Span;
}

/** What a 304 says: that nothing has changed of one of the bodies that the caller had. */
function recall(etag: string | undefined, tags: Tags | null): readonly Claim[] {
  const known = etag === undefined ? null : tags?.get(etag);
  if (known) return known.claims;
  throw new Misfit(
    'strange',
    `304 for ${etag}, and not for ${[...(tags?.keys() ?? [])].join(', ')}`,
  );
}

/** The page that follows, as a read of its own. */
function pageOf(read: Read, token: string): Read {
  const [path, query] = read.path.split('?');
  const parameters = new URLSearchParams(query);
  parameters.set('pageToken', token);
  return { ...read, path: `${path}?${parameters}` };
}

function nextOf(read: Read, answer: WireAnswer): string | null {
  if (answer.status !== 200) return null;
  if (read.walked) {
    const token = answer.headers[NEXT_PAGE];
    return typeof token === 'string' ? token : null;
  }
  if (read.operation !== 'partners.connectedRestaurants.list') return null;
  return (JSON.parse(textOf(answer)) as { nextPageToken: string | null }).nextPageToken;
}
