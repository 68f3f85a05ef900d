import type { AnswerOf, CollectionObjects, OperationId, RequestOf } from '@servery/contract';
import { InvalidInput } from './errors.ts';
import { operations } from './operations.ts';
import type { Request, Transport } from './transport.ts';
import { type Changes, changesSince, isPaged, type PagedId, type PageItem, Walk } from './walk.ts';

/** Options of a call. */
export interface CallOptions {
  /** Aborts this call. */
  readonly signal?: AbortSignal | undefined;
  /** A restaurant other than the client's. */
  readonly restaurant?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Options of a call that reads all pages of a list. */
export interface ListOptions extends CallOptions {
  /**
   * What happens when the configuration is published between two pages: read all pages again (the
   * default), or throw the Conflict.
   */
  readonly onPublication?: 'restart' | 'throw';
}

type Table = typeof operations;
type PartnerId = keyof Table & OperationId;
type WithBody = {
  [Id in PartnerId]: Table[Id] extends readonly [string, string, 'body'] ? Id : never;
}[PartnerId];

/** Path parameters that the client sets to its restaurant. */
type Filled = 'merchantUuid' | 'restaurantGUID';
const filled: readonly string[] = ['merchantUuid', 'restaurantGUID'] satisfies Filled[];

type Params<Id extends OperationId> = RequestOf<Id>['params'];
type Input<Id extends OperationId> = Omit<Params<Id>, Filled> &
  Partial<Pick<Params<Id>, Filled & keyof Params<Id>>> & {
    readonly [Name in keyof RequestOf<Id>['query']]?: RequestOf<Id>['query'][Name] | undefined;
  };
/** The contract generates the operations of all collections, so it only has their union. */
type Answer<Id extends OperationId> = Id extends `configuration.${infer Name}.${infer Verb}`
  ? Name extends keyof CollectionObjects
    ? Verb extends 'list'
      ? readonly CollectionObjects[Name][]
      : CollectionObjects[Name]
    : AnswerOf<Id>
  : AnswerOf<Id>;
type Tail<Given, Options> =
  Record<never, never> extends Given
    ? [input?: Given, options?: Options]
    : [input: Given, options?: Options];

type Method<Id extends PartnerId> = Id extends PagedId
  ? (...given: Tail<Input<Id>, ListOptions>) => Walk<PageItem<Answer<Id>>>
  : Id extends WithBody
    ? (body: RequestOf<Id>['body'], ...given: Tail<Input<Id>, CallOptions>) => Promise<Answer<Id>>
    : (...given: Tail<Input<Id>, CallOptions>) => Promise<Answer<Id>>;

/** Operations by the parts of their ids: `orders.payments.list` is `list` of `payments`. */
type Branch<Ids extends PartnerId, Prefix extends string> = {
  readonly [Name in Ids extends `${Prefix}${infer Rest}`
    ? Rest extends `${infer Head}.${string}`
      ? Head
      : Rest
    : never]: `${Prefix}${Name}` extends Ids
    ? Method<Extract<Ids, `${Prefix}${Name}`>>
    : Branch<Extract<Ids, `${Prefix}${Name}.${string}`>, `${Prefix}${Name}.`>;
};

type Interface<Name extends string> = Branch<
  Exclude<Extract<PartnerId, `${Name}.${string}`>, 'platform.events.stream'>,
  `${Name}.`
>;

type Collections = Interface<'configuration'>;
/** For a collection, you can also ask for what changed. */
type Configuration = {
  readonly [Name in keyof Collections]: Collections[Name] extends {
    readonly list: (...given: never[]) => Walk<infer Item>;
  }
    ? Collections[Name] & {
        changesSince(since: Date | null, options?: ListOptions): Promise<Changes<Item>>;
      }
    : Collections[Name];
};

/** What calling the operations of an interface needs. */
export type Operations<Name extends string> = Name extends 'configuration'
  ? Configuration
  : Interface<Name>;

/** Operations that change nothing, although they use POST. */
const READS: readonly string[] = ['orders.price', 'orders.applicableDiscounts', 'stock.search'];

type Node = { [name: string]: unknown };

/** Makes a function for each operation of an interface. */
export function operationsOf<Name extends string>(
  name: Name,
  transport: Transport,
  restaurant: string | undefined,
): Operations<Name> {
  const tree: Node = {};
  for (const id of Object.keys(operations) as PartnerId[]) {
    const [first, ...parts] = id.split('.');
    if (first !== name) continue;
    const last = parts.pop() ?? '';
    let node = tree;
    for (const part of parts) {
      node[part] ??= {};
      node = node[part] as Node;
    }
    node[last] = methodOf(id, transport, restaurant);
    if (first === 'configuration' && last === 'list') {
      const list = node[last] as Parameters<typeof changesSince>[0];
      node.changesSince = (since: Date | null, options?: ListOptions) =>
        changesSince(list, since, options, transport.nowMs);
    }
  }
  return tree as Operations<Name>;
}

function methodOf(id: PartnerId, transport: Transport, own: string | undefined) {
  const [, path, body] = operations[id] as readonly [string, string, 'body'?];
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const requestOf = (input: Node = {}, { onPublication: _, ...options }: ListOptions = {}) => {
    const restaurant = options.restaurant ?? own;
    const params = Object.fromEntries(
      names.map((name) => {
        const value = input[name] ?? (filled.includes(name) ? restaurant : undefined);
        if (typeof value !== 'string' || value === '') {
          throw new InvalidInput(name, `is missing: ${id} needs it.`);
        }
        return [name, value];
      }),
    );
    const query = Object.fromEntries(
      Object.entries(input).filter(([name]) => !names.includes(name)),
    );
    const isRepeatable = READS.includes(id) ? { isRepeatable: true } : {};
    return { ...options, ...isRepeatable, restaurant, params, query } as Request;
  };
  const call = (request: Request) => transport.call(id, request as never);
  if (body) {
    return async (sent: unknown, input?: Node, options?: CallOptions) => {
      if (sent === undefined) throw new InvalidInput('body', `is missing: ${id} needs it.`);
      return await call({ ...requestOf(input, options), body: sent });
    };
  }
  if (isPaged(id)) {
    return (input?: Node, options: ListOptions = {}) =>
      new Walk(transport, id, requestOf(input, options), options.onPublication ?? 'restart');
  }
  return async (input?: Node, options?: CallOptions) => await call(requestOf(input, options));
}
