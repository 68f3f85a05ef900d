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

/** A person who logged in to the back office, as the database has him now. */
export interface Person {
  readonly type: 'PERSON';
  readonly personGuid: string;
  readonly name: string;
  readonly email: string;
  /** The session that the request came with. */
  readonly sessionGuid: string;
  readonly grants: readonly Grant[];
}

/** The API account behind a token, as it is now in the database, not as the token remembers it. */
export interface Principal {
  readonly clientId: string;
  readonly name: string;
  readonly type: ClientType;
  /** Set for PARTNER accounts. */
  readonly partnerGuid: string | null;
  /** Set for CUSTOMER accounts. A BACK_OFFICE account without one reaches the whole platform. */
  readonly managementGroupGuid: string | null;
  readonly scopes: ReadonlySet<Scope>;
  /** True for holders of a card key from before key identifiers: `keyId` may be absent (PAY-3). */
  readonly holdsLegacyCardKey: boolean;
  /** Until when the token lives that the request came with, in epoch milliseconds. */
  readonly tokenExpiresAtMs: number;
}

/** Whoever sends a request. */
export type Caller = Principal | Person;

/** The restaurant a request works on, after access was granted. */
export interface RestaurantContext {
  readonly guid: string;
  readonly managementGroupGuid: string;
  readonly timeZone: string;
  readonly currencyCode: string;
  readonly archived: boolean;
  /** Raised by every publication of the restaurant's configuration (CFG-8). */
  readonly publishNumber: number;
}

/** What a caller may do and where: of an API account its scopes, at its group or everywhere. */
export function grantsOf(caller: Caller): readonly Grant[] {
  if (caller.type === 'PERSON') return caller.grants;
  const { scopes, managementGroupGuid, partnerGuid } = caller;
  if (managementGroupGuid !== null) {
    return [{ scopes, place: { kind: 'group', guid: managementGroupGuid } }];
  }
  if (partnerGuid !== null) return [{ scopes, place: { kind: 'partner', guid: partnerGuid } }];
  return caller.type === 'BACK_OFFICE' ? [{ scopes, place: { kind: 'platform' } }] : [];
}

/** The partner of an account where the contract lets no other accounts in (AUTH-7, PTN-6). */
export function partnerOf({ partnerGuid }: Principal): string {
  if (partnerGuid === null) throw new Error('an account without a partner was let in');
  return partnerGuid;
}

/** How histories name whoever did something: the id of an account, or `person:` and a GUID. */
export function actorOf(caller: Caller): string {
  return caller.type === 'PERSON' ? `person:${caller.personGuid}` : caller.clientId;
}

/** Resolves a bearer token. Throws ApiError `unauthorized` for all but a live one (AUTH-5, AUTH-9). */
export type Authenticate = (bearerToken: string, nowMs: number) => Promise<Principal>;

/** What there is of a request before it is known whose it is. */
export interface Unauthenticated {
  readonly headers: IncomingHttpHeaders;
  readonly method: string;
  /** Null when no operation has this method and path. */
  readonly operation: Operation | null;
}

/** Tells whose request it is; throws ApiError `unauthorized` (AUTH-5, AUTH-9), or `forbidden` (CSRF). */
export type IdentifyCaller = (request: Unauthenticated, nowMs: number) => Promise<Caller>;

/** What `Access` answers. Callers merge `unknown` and `notGranted` but for credit cards (API-6). */
export type AccessDecision =
  | { readonly outcome: 'granted'; readonly restaurant: RestaurantContext }
  | { readonly outcome: 'notGranted' }
  | { readonly outcome: 'unknown' };

/** Decides whether the caller reaches the restaurant at this moment (AUTH-7, AUTH-9). GUID: lower case. */
export type Access = (caller: Caller, restaurantGuid: string) => Promise<AccessDecision>;

/**
 * Proves that this platform wrote a text: a digest under a key that is not in the database, so that
 * whoever can only write to the database cannot make it.
 */
export type Attest = (text: string) => Buffer;

/**
 * How much of what was sent logs and traces may keep, beside the operation, the caller, the
 * restaurant and what became of it: `head` is all but the body.
 */
export type KeptOfRequest = 'all' | 'head' | 'nothing';

/** What every handler gets, beside path, query and body. */
export interface PublicRequest {
  readonly operation: Operation;
  /** The UUID of this request, also in the `<Brand>-Request-ID` response header (API-3). */
  readonly requestId: string;
  readonly nowMs: number;
  /** The service's own base address without a trailing slash, for links. */
  readonly baseUrl: string;
  readonly headers: IncomingHttpHeaders;
  readonly remoteAddress: string;
  /** How long the checks took that come before the body, in milliseconds. */
  readonly waitedMs: number;
  /** For what is wrong with the request and no schema can say. */
  readonly faults: Faults;
}

/** A request with a live token. */
export interface ClientRequest extends PublicRequest {
  readonly principal: Principal;
}

/** A request of a client that reaches the restaurant and holds the operation's scope. */
export interface RestaurantRequest extends ClientRequest {
  readonly restaurant: RestaurantContext;
  /** Every query parameter as it was sent, known or not. */
  readonly sentQuery: Readonly<Record<string, string | undefined>>;
  /** Says how much of what was sent logs and traces may keep. */
  readonly keep: (kept: KeptOfRequest) => void;
}

/** A request to the back office whose caller holds the operation's scope somewhere. */
export interface BackOfficeRequest extends PublicRequest {
  readonly caller: Caller;
  /** How histories name the caller. */
  readonly by: string;
  /** Where the caller holds the operation's scope: all that is read or changed lies in it. */
  readonly reach: Reach;
  /** The same, asked anew: for an answer that goes on while rights may end. */
  readonly reachNow: () => Promise<Reach>;
  /** For what the request writes into the record of changes. */
  readonly attest: Attest;
}

/** A request of a person about himself. */
export interface SessionRequest extends BackOfficeRequest {
  readonly caller: Person;
}

/** A request to the back office whose caller holds the scope at the restaurant in the path. */
export interface BackOfficeRestaurantRequest extends BackOfficeRequest {
  readonly restaurant: RestaurantContext;
}

/**
 * What a handler gives back. `json` is serialized; `bytes` is a document; `ready` is a body with
 * headers of its own from a cache, for reads whose answer hangs on nothing but the request's
 * line, the caller, the restaurant and the subjects of the body's stamp; `stream` is
 * sent piece by piece as it comes. A reader that goes away ends the iteration, and so must a
 * process that stops; once the first piece is out, an error can only break the answer off.
 */
export interface Answer<Json = unknown> {
  /** 200 when absent. */
  readonly status?: number;
  readonly json?: Json;
  readonly bytes?: Buffer | string;
  readonly ready?: ReadyAnswer;
  readonly stream?: AsyncIterable<string>;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Answers a later request with the same path and the very same body at `nowMs`, in epoch
   * milliseconds: with this answer's headers and status 200, and the same object while its body is
   * the same. Null when anything is not certain: then it goes the whole way. It must not throw, and
   * is kept in memory with all that it holds, so that it holds no secret.
   */
  readonly repeat?: (nowMs: number) => Answer<Json> | null;
}

/** The kind of request that an operation gets: who sends it, and what it works on. */
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

/** A request that was let in and fits the schemas of its operation. */
export type RequestFor<Id extends OperationId> = RequestOf<Id> & KindOf<OperationWith<Id>>;

/** The handler of an operation. It answers what the contract says, or throws ApiError. */
export type HandlerOf<Id extends OperationId> = (
  request: RequestFor<Id>,
) => Promise<Answer<AnswerOf<Id>>>;

/** One handler per operation of the contract; a missing one is a type error in server.ts. */
export type OperationHandlers = { readonly [Id in OperationId]: HandlerOf<Id> };

/** The handlers of the operations whose ids begin so. */
export type HandlersOf<Start extends string> = Pick<
  OperationHandlers,
  Extract<OperationId, `${Start}${string}`>
>;
