import type { IncomingHttpHeaders } from 'node:http';
import type {
  AnswerOf,
  ClientType,
  Operation,
  OperationId,
  OperationWith,
  RequestOf,
  Scope,
} from '@servery/contract';
import type { Grant, Reach } from '../reach/reach.ts';
import type { ReadyAnswer } from './fast/ready-body.ts';
import type { Faults } from './faults.ts';
import type { HandlerNotes } from './notes.ts';
import type { Along, ReadAlong } from './read-along.ts';

export interface Person {
  readonly type: 'PERSON';
  readonly personGuid: string;
  readonly name: string;
  readonly email: string;
  readonly sessionGuid: string;
  readonly grants: readonly Grant[];
}

/** The account as it is in the database now, not in the token. */
export interface Principal {
  readonly clientId: string;
  readonly name: string;
  readonly type: ClientType;
  /** Set for PARTNER accounts. */
  readonly partnerGuid: string | null;
  /** Set for CUSTOMER accounts. A BACK_OFFICE account without one reaches the whole platform. */
  readonly managementGroupGuid: string | null;
  readonly scopes: ReadonlySet<Scope>;
  /** May omit `keyId` (PAY-3). */
  readonly holdsLegacyCardKey: boolean;
  readonly tokenIssuedAtMs: number;
  readonly tokenExpiresAtMs: number;
}

export type Caller = Principal | Person;

export interface RestaurantContext {
  readonly guid: string;
  readonly managementGroupGuid: string;
  readonly timeZone: string;
  readonly currencyCode: string;
  readonly archived: boolean;
  /** Raised by every publication (CFG-8). */
  readonly publishNumber: number;
}

export function grantsOf(caller: Caller): readonly Grant[] {
  if (caller.type === 'PERSON') return caller.grants;
  const { scopes, managementGroupGuid, partnerGuid } = caller;
  if (managementGroupGuid !== null) {
    return [{ scopes, place: { kind: 'group', guid: managementGroupGuid } }];
  }
  if (partnerGuid !== null) return [{ scopes, place: { kind: 'partner', guid: partnerGuid } }];
  return caller.type === 'BACK_OFFICE' ? [{ scopes, place: { kind: 'platform' } }] : [];
}

/** For operations that let only partners in (AUTH-7, PTN-6). */
export function partnerOf({ partnerGuid }: Principal): string {
  if (partnerGuid === null) throw new Error('an account without a partner was let in');
  return partnerGuid;
}

export function actorOf(caller: Caller): string {
  return caller.type === 'PERSON' ? `person:${caller.personGuid}` : caller.clientId;
}

/** Throws ApiError `unauthorized` for all but a live token (AUTH-5, AUTH-9). */
export type Authenticate = (bearerToken: string, nowMs: number) => Promise<Principal>;

export interface Unauthenticated {
  readonly headers: IncomingHttpHeaders;
  readonly method: string;
  readonly operation: Operation | null;
}

/** Throws ApiError `unauthorized` (AUTH-5, AUTH-9), or `forbidden` (CSRF). */
export type IdentifyCaller = (request: Unauthenticated, nowMs: number) => Promise<Caller>;

/** Callers merge `unknown` and `notGranted` except for credit cards (API-6). */
type AccessDecision =
  | {
      readonly outcome: 'granted';
      readonly restaurant: RestaurantContext;
      readonly along?: ReadAlong;
    }
  | { readonly outcome: 'notGranted' }
  | { readonly outcome: 'unknown' };

/** Decides for this moment (AUTH-7, AUTH-9). Takes a lower-case GUID. */
export type Access = (
  caller: Caller,
  restaurantGuid: string,
  chooseAlong?: () => Along | null,
) => Promise<AccessDecision>;

/**
 * Proves that this platform wrote a text: its key is not in the database, so write access to the
 * database is not enough to forge it.
 */
export type Attest = (text: string) => Buffer;

/** What logs and traces may keep of the request; `head` is all but the body. */
export type KeptOfRequest = 'all' | 'head' | 'nothing';

export interface PublicRequest {
  readonly operation: Operation;
  readonly requestId: string;
  readonly nowMs: number;
  readonly baseUrl: string;
  readonly headers: IncomingHttpHeaders;
  readonly remoteAddress: string;
  readonly waitedMs: number;
  /** For faults that no schema can express. */
  readonly faults: Faults;
}

export interface ClientRequest extends PublicRequest {
  readonly principal: Principal;
}

export interface RestaurantRequest extends ClientRequest {
  readonly restaurant: RestaurantContext;
  /** Read at the same moment as `restaurant`. */
  readonly along?: ReadAlong | null;
  readonly sentQuery: Readonly<Record<string, string | undefined>>;
  readonly keep: (kept: KeptOfRequest) => void;
  readonly note: (notes: HandlerNotes) => void;
}

export interface BackOfficeRequest extends PublicRequest {
  readonly caller: Caller;
  readonly by: string;
  /** Everything read or changed must lie within it. */
  readonly reach: Reach;
  /** For answers that go on while rights may end. */
  readonly reachNow: () => Promise<Reach>;
  readonly attest: Attest;
}

export interface SessionRequest extends BackOfficeRequest {
  readonly caller: Person;
}

export interface BackOfficeRestaurantRequest extends BackOfficeRequest {
  readonly restaurant: RestaurantContext;
}

/**
 * `ready` is for reads that depend only on the request line, the caller, the restaurant and the
 * stamp's subjects. A `stream` must end when the reader goes away or the process stops; after the
 * first piece, an error can only break it off.
 */
export interface Answer<Json = unknown> {
  readonly status?: number;
  readonly json?: Json;
  readonly bytes?: Buffer | string;
  readonly ready?: ReadyAnswer;
  readonly stream?: AsyncIterable<string>;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Answers a later request with the same path and body. Null if anything is uncertain. Returns the
   * same object while its body is the same. It must not throw, and it stays in memory, so it must
   * hold no secret.
   */
  readonly repeat?: (nowMs: number) => Answer<Json> | null;
}

type KindOf<Described> = Described extends { readonly security: 'none' }
  ? PublicRequest
  : Described extends { readonly interface: 'backOffice' }
    ? Described extends { readonly security: 'session' }
      ? SessionRequest
      : Described extends { readonly restaurant: 'none' }
        ? BackOfficeRequest
        : BackOfficeRestaurantRequest
    : Described extends { readonly restaurant: 'none' }
      ? ClientRequest
      : RestaurantRequest;

export type RequestFor<Id extends OperationId> = RequestOf<Id> & KindOf<OperationWith<Id>>;

/** JSON writes a Date as the text that the contract says, so rows are sent as they are. */
export type Sent<Json> = unknown extends Json
  ? Json
  : Json extends string
    ? string extends Json
      ? string | Date
      : Json
    : { readonly [Name in keyof Json]: Sent<Json[Name]> };

export type HandlerOf<Id extends OperationId> = (
  request: RequestFor<Id>,
) => Promise<Answer<Sent<AnswerOf<Id>>>>;

export type OperationHandlers = { readonly [Id in OperationId]: HandlerOf<Id> };

export type HandlersOf<Start extends string> = Pick<
  OperationHandlers,
  Extract<OperationId, `${Start}${string}`>
>;
