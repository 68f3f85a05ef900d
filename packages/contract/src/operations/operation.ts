import type { BrandedHeaders } from '../brand.ts';
import type { InterfaceId } from '../interfaces.ts';
import type { RolePlace } from '../roles.ts';
import type { SchemaName } from '../schemas.ts';
import type { Scope } from '../scopes.ts';
import type { Fields } from './parameters.ts';

export interface Body {
  readonly schema: SchemaName;
  readonly array: boolean;
  readonly maxItems?: number;
}

export const bodyBytesAtMost = 1_048_576;

/** Smaller, because it is read before the caller is known (AUTH-10). */
export const credentialBytesAtMost = 16_384;

export interface RequestBody extends Body {
  readonly contentTypes: readonly string[];
  readonly required: boolean;
  readonly maxBytes?: number;
  /** True for bodies that take long: the server then parses them beside other requests. */
  readonly isParsedLater?: boolean;
}

export type ResponseHeader =
  | Exclude<keyof BrandedHeaders, 'restaurantExternalId' | 'explain' | 'sandboxFault'>
  | 'ETag'
  | 'Link'
  | 'Set-Cookie';

/**
 * `headerArchivedAllowed` also admits archived restaurants (RST-2). With `merchant`, the header must
 * repeat the path (API-6). With `headerOrOrder`, the restaurant of the order in the path counts
 * without the header (ORD-3). The two `InPath` rules use the path alone: there, an unknown restaurant
 * and one out of reach are the same 404.
 */
export type RestaurantRule =
  | 'none'
  | 'header'
  | 'headerArchivedAllowed'
  | 'headerOrOrder'
  | 'merchant'
  | 'merchantInPath'
  | 'restaurantInPath';

export const namesRestaurantInPath = ({ restaurant }: Pick<AnyOperation, 'restaurant'>): boolean =>
  restaurant === 'merchantInPath' || restaurant === 'restaurantInPath';

export const namesRestaurantInHeader = ({
  restaurant,
}: Pick<AnyOperation, 'restaurant'>): boolean =>
  restaurant !== 'none' && !namesRestaurantInPath({ restaurant });

/** Parameters of paths that name the restaurant. */
export const restaurantParameters: readonly string[] = [
  'merchantUuid',
  'restaurantGuid',
  'restaurantGUID',
];

export type MediaType =
  | 'application/json'
  | 'text/html'
  | 'text/plain'
  | 'text/event-stream'
  | 'application/x-ndjson';

/** Routes, types, OpenAPI and docs all derive from it. */
export interface AnyOperation {
  /** Stable: route, handler's file, log field, metric label, test title, docs heading. */
  readonly id: string;
  readonly interface: InterfaceId;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** The path is also served with a slash at its end (ORD-7). */
  readonly mayEndInSlash: boolean;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** In the back office a person's session replaces the token; `session` allows nothing else. */
  readonly security: 'none' | 'bearer' | 'session';
  readonly scope: Scope | null;
  /** Enough as well, in place of `scope`. */
  readonly orScope: Scope | null;
  /**
   * The place that the scope must cover as a whole. The platform is always enough; null for any
   * place.
   */
  readonly heldFor: Exclude<RolePlace, 'restaurant'> | null;
  /** Refuses the accounts of management groups (AUTH-7, PTN-6). */
  readonly isForPartners: boolean;
  readonly isForSandbox: boolean;
  /** In production, it is as if its path were unknown: a 404, not a 403. */
  readonly isHiddenInProduction: boolean;
  readonly restaurant: RestaurantRule;
  readonly requestBody: RequestBody | null;
  readonly params: Fields;
  readonly query: Fields;
  /** Null when the answer is not JSON. */
  readonly response: Body | null;
  readonly mediaType: MediaType;
  readonly responseHeaders: readonly ResponseHeader[];
  /** Without 405, which is an answer of the path. */
  readonly statuses: readonly number[];
}

const usual = {
  mayEndInSlash: false,
  security: 'bearer',
  scope: null,
  orScope: null,
  heldFor: null,
  isForPartners: false,
  isForSandbox: false,
  isHiddenInProduction: false,
  restaurant: 'none',
  requestBody: null,
  params: {},
  query: {},
  mediaType: 'application/json',
} as const;

export type OperationDraft = Omit<
  AnyOperation,
  keyof typeof usual | 'responseHeaders' | 'statuses'
> &
  Partial<Pick<AnyOperation, keyof typeof usual>> & {
    readonly rateLimited?: boolean;
    /** False for reads that never answer the same twice. */
    readonly revalidated?: boolean;
    readonly headers?: readonly ResponseHeader[];
    readonly also?: readonly number[];
    /** The status of an answer that is no refusal. */
    readonly success?: 200 | 201;
  };

type Typing =
  | 'id'
  | 'interface'
  | 'security'
  | 'restaurant'
  | 'params'
  | 'query'
  | 'requestBody'
  | 'response';

export type OperationOf<Draft> = Omit<AnyOperation, Typing> & {
  readonly [Key in Typing]: Key extends keyof Draft
    ? Draft[Key]
    : Key extends keyof typeof usual
      ? (typeof usual)[Key]
      : never;
};

export const isSuccess = (status: number): boolean => status < 300;

const rateLimitHeaders = ['rateLimitBy', 'rateLimitRemaining', 'rateLimitReset'] as const;

/**
 * Adds what follows from the operation's kind: statuses (API-5) and headers (API-3, API-7, API-11).
 */
export function operation<const Draft extends OperationDraft>(draft: Draft): OperationOf<Draft>;
export function operation(draft: OperationDraft): AnyOperation {
  const {
    rateLimited = true,
    revalidated = true,
    headers = [],
    also = [],
    success = 200,
    ...rest
  } = draft;
  const { security, restaurant } = { ...usual, ...rest };
  const isRevalidated = draft.method === 'GET' && revalidated;
  const hasInput =
    Boolean(draft.requestBody || draft.query) || namesRestaurantInHeader({ restaurant });
  const follows: readonly (readonly [boolean, readonly number[]])[] = [
    [true, [success]],
    [isRevalidated, [304]],
    [hasInput, [400]],
    [security !== 'none', [401, 403]],
    [namesRestaurantInPath({ restaurant }), [404]],
    [Boolean(draft.requestBody), [413]],
    // A login that is not JSON is a 400, whatever its content type (AUTH-1).
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
