import type { BrandedHeaders } from '../brand.ts';
import type { InterfaceId } from '../interfaces.ts';
import type { RolePlace } from '../roles.ts';
import type { SchemaName } from '../schemas.ts';
import type { Scope } from '../scopes.ts';
import type { Fields } from './parameters.ts';

/** A JSON value that an operation takes or answers: a resource or a list of it. */
export interface Body {
  readonly schema: SchemaName;
  /** True for a list of the resource. */
  readonly array: boolean;
  /** How long such a list can be, where there is a limit. */
  readonly maxItems?: number;
}

/** How many bytes a body may have where its operation says nothing else (API-9). */
export const bodyBytesAtMost = 1_048_576;

/** How many bytes a body with credentials may have: it is read before the caller is known (AUTH-10). */
export const credentialBytesAtMost = 16_384;

/** The body that an operation takes. */
export interface RequestBody extends Body {
  readonly contentTypes: readonly string[];
  readonly required: boolean;
  /** How many bytes it may have; `bodyBytesAtMost` when absent (API-9). */
  readonly maxBytes?: number;
  /** True when the server parses it beside other requests, because that takes long. */
  readonly isParsedLater?: boolean;
}

/** A response header: a branded one by its role, or a standard one by its name. */
export type ResponseHeader =
  | Exclude<keyof BrandedHeaders, 'restaurantExternalId'>
  | 'ETag'
  | 'Link'
  | 'Set-Cookie';

/**
 * How an operation finds its restaurant: not at all, in the restaurant header, in that header where
 * it may also be an archived one (RST-2), in the path, which the header must repeat (API-6), or in the
 * path alone, as `merchantUuid` or `restaurantGuid`: there a restaurant that is unknown and one out
 * of reach are the same 404.
 */
export type RestaurantRule =
  | 'none'
  | 'header'
  | 'headerArchivedAllowed'
  | 'merchant'
  | 'merchantInPath'
  | 'restaurantInPath';

/** Whether the restaurant stands in the path and nowhere else. */
export const namesRestaurantInPath = ({ restaurant }: Pick<AnyOperation, 'restaurant'>): boolean =>
  restaurant === 'merchantInPath' || restaurant === 'restaurantInPath';

/** Whether the restaurant stands in the restaurant header. */
export const namesRestaurantInHeader = ({
  restaurant,
}: Pick<AnyOperation, 'restaurant'>): boolean =>
  restaurant !== 'none' && !namesRestaurantInPath({ restaurant });

/** What answers are written in; events and NDJSON are sent piece by piece, as they come. */
export type MediaType =
  | 'application/json'
  | 'text/html'
  | 'text/plain'
  | 'text/event-stream'
  | 'application/x-ndjson';

/** One thing that a caller can ask; routes, types, OpenAPI and docs all derive from it. */
export interface AnyOperation {
  /** The stable name: route, handler's file, log field, metric label, test title, docs heading. */
  readonly id: string;
  readonly interface: InterfaceId;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The whole path below the base address, with `{name}` for each path parameter. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /**
   * What has to be sent: nothing, an access token (in the back office a person's session does as
   * well), or a person's session and nothing else.
   */
  readonly security: 'none' | 'bearer' | 'session';
  readonly scope: Scope | null;
  /**
   * The place that the scope has to be held for as a whole: the platform, a management group (that
   * of the restaurant, where the operation has one) or a partner. The platform is always enough.
   * Null where the scope may be held for any place.
   */
  readonly heldFor: Exclude<RolePlace, 'restaurant'> | null;
  /** True for operations that refuse the accounts of management groups (AUTH-7, PTN-6). */
  readonly isForPartners: boolean;
  /** True for operations that production refuses to everybody. */
  readonly isForSandbox: boolean;
  readonly restaurant: RestaurantRule;
  readonly requestBody: RequestBody | null;
  /** The schemas of the parameters in the path. */
  readonly params: Fields;
  /** The schemas of the query parameters. */
  readonly query: Fields;
  /** Null when the answer is not JSON. */
  readonly response: Body | null;
  /** What the answer is written in. */
  readonly mediaType: MediaType;
  /** The headers of a success. */
  readonly responseHeaders: readonly ResponseHeader[];
  /** Every status it can answer. A wrong method (405) is an answer of the path, not of it. */
  readonly statuses: readonly number[];
}

/** What holds for an operation that says nothing else. */
const usual = {
  security: 'bearer',
  scope: null,
  heldFor: null,
  isForPartners: false,
  isForSandbox: false,
  restaurant: 'none',
  requestBody: null,
  params: {},
  query: {},
  mediaType: 'application/json',
} as const;

/** What has to be said about an operation; `operation` derives the rest. */
export type OperationDraft = Omit<
  AnyOperation,
  keyof typeof usual | 'responseHeaders' | 'statuses'
> &
  Partial<Pick<AnyOperation, keyof typeof usual>> & {
    /** False for operations that are never refused for their number. */
    readonly rateLimited?: boolean;
    /** False for reads whose answer is another one each time: there is nothing to revalidate. */
    readonly revalidated?: boolean;
    /** Headers beside those that every operation of its kind has. */
    readonly headers?: readonly ResponseHeader[];
    /** Statuses beside those that follow from its kind. */
    readonly also?: readonly number[];
  };

/** What the types of requests, answers and handlers derive from. */
type Typing =
  | 'id'
  | 'interface'
  | 'security'
  | 'restaurant'
  | 'params'
  | 'query'
  | 'requestBody'
  | 'response';

/** An operation that TypeScript knows as exactly as its draft says it. */
export type OperationOf<Draft> = Omit<AnyOperation, Typing> & {
  readonly [Key in Typing]: Key extends keyof Draft
    ? Draft[Key]
    : Key extends keyof typeof usual
      ? (typeof usual)[Key]
      : never;
};

const rateLimitHeaders = ['rateLimitBy', 'rateLimitRemaining', 'rateLimitReset'] as const;

/** Completes a draft with what follows from its kind: statuses (API-5) and headers (API-3, API-7, API-11). */
export function operation<const Draft extends OperationDraft>(draft: Draft): OperationOf<Draft>;
export function operation(draft: OperationDraft): AnyOperation {
  const { rateLimited = true, revalidated = true, headers = [], also = [], ...rest } = draft;
  const { security, restaurant } = { ...usual, ...rest };
  const isRevalidated = draft.method === 'GET' && revalidated;
  const hasInput =
    Boolean(draft.requestBody || draft.query) || namesRestaurantInHeader({ restaurant });
  const follows: readonly (readonly [boolean, readonly number[]])[] = [
    [true, [200]],
    [isRevalidated, [304]],
    [hasInput, [400]],
    [security !== 'none', [401, 403]],
    [namesRestaurantInPath({ restaurant }), [404]],
    [Boolean(draft.requestBody), [413]],
    // A login that is not JSON is a 400, whatever type it says it has (AUTH-1).
    [Boolean(draft.requestBody) && draft.id !== 'auth.login', [415]],
    [rateLimited, [429, 500, 503]],
  ];
  const statuses = new Set([
    ...follows.flatMap(([holds, values]) => (holds ? values : [])),
    ...also,
  ]);
  return {
    ...usual,
    ...rest,
    responseHeaders: [
      'requestId',
      ...(rateLimited && draft.id !== 'auth.login' ? rateLimitHeaders : []),
      ...(isRevalidated ? (['ETag'] as const) : []),
      ...headers,
    ],
    statuses: [...statuses].sort((a, b) => a - b),
  };
}
