/** `@servery/client/back-office`: every operation by its id, for operators' tools. */
import type { AnswerOf, OperationId } from '@servery/contract';
import { officeOperations } from './office-operations.ts';
import { operations as partnerOperations } from './operations.ts';
import { type Token, tokensOf } from './tokens.ts';
import { type RequestFor, Transport, type TransportOptions } from './transport.ts';

export * from './errors.ts';
export type { Token } from './tokens.ts';
export type { Credentials, Request, RequestFor } from './transport.ts';

/** Method and path of every operation by its id, and whether it takes a body. */
export const operations = { ...partnerOperations, ...officeOperations } as const satisfies Record<
  OperationId,
  readonly [string, string, 'body'?]
>;

/** What a client needs; everything else has a default. */
export type ClientOptions = Omit<TransportOptions, 'operations' | 'silenceMs' | 'tokensOf'>;

/** The items of a paged list, up to a limit. */
export interface Listed<Item> {
  readonly results: readonly Item[];
  readonly hasMore: boolean;
}

/** The elements of the pages that an operation returns. */
export type ItemOf<Id extends OperationId> =
  AnswerOf<Id> extends {
    readonly results: readonly (infer Item)[];
  }
    ? Item
    : never;

const PAGE_SIZE_AT_MOST = 200;
/** How long the platform may be silent. A stream has a line every 15 seconds. */
const SILENCE_MS = 60_000;
/** For operations on which the platform may work for minutes before it responds. */
const LONG_SILENCE_MS = 300_000;
const WORKED_ON: readonly string[] = [
  'backOffice.audit.export',
  'backOffice.audit.verify',
  'backOffice.clock.advance',
  'backOffice.clock.next',
  'backOffice.clock.run',
  'backOffice.clock.set',
  'backOffice.configuration.apply',
  'backOffice.configuration.plan',
  'backOffice.configuration.publications.publish',
  'backOffice.configuration.publications.rollBack',
  'backOffice.configuration.publishGroup',
  'backOffice.requests.replay',
  'backOffice.sandboxes.create',
  'backOffice.sandboxes.diff',
  'backOffice.sandboxes.drop',
  'backOffice.sandboxes.restore',
  'backOffice.sandboxes.snapshots.create',
  'backOffice.webhooks.replay',
] satisfies readonly OperationId[];

/** Calls the operations of one platform in a browser, as a person who is signed in there. */
export class SessionClient extends Transport {
  constructor(options: Omit<TransportOptions, 'operations' | 'silenceMs'>) {
    const silenceMs = (id: string) => (WORKED_ON.includes(id) ? LONG_SILENCE_MS : SILENCE_MS);
    super({ ...options, operations, silenceMs });
  }

  /** Reads the pages of a list until there are `limit` items. */
  async list<Id extends OperationId>(
    id: Id,
    request: RequestFor<Id>,
    limit: number,
  ): Promise<Listed<ItemOf<Id>>> {
    const results: ItemOf<Id>[] = [];
    const pageSize = Math.min(PAGE_SIZE_AT_MOST, limit);
    let pageToken: string | undefined;
    do {
      const query = { ...request.query, pageSize, pageToken };
      const page = (await this.call(id, { ...request, query } as RequestFor<Id>)) as unknown as {
        readonly results: readonly ItemOf<Id>[];
        readonly nextPageToken: string | null;
      };
      results.push(...page.results);
      pageToken = page.nextPageToken ?? undefined;
    } while (pageToken !== undefined && results.length < limit);
    const hasMore = pageToken !== undefined || results.length > limit;
    return { results: results.slice(0, limit), hasMore };
  }
}

/** Calls the operations of one platform as one account. It logs in when it first needs to. */
export class Client extends SessionClient {
  constructor(options: ClientOptions) {
    const { credentials } = options;
    const isAccount = credentials && 'clientId' in credentials;
    super({ ...options, ...(isAccount && { tokensOf: tokensOf(credentials, undefined) }) });
  }
}

/** The claims of an access token, not verified; empty for other text. */
export function claimsOf({ access_token }: Token): Readonly<Record<string, unknown>> {
  const [, payload = ''] = access_token.split('.');
  try {
    const letters = atob(payload.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof claims === 'object' && claims !== null ? { ...claims } : {};
  } catch {
    return {};
  }
}

/** The type of account that the token names. Its claim is named after the brand. */
export async function accountTypeOf(client: Client): Promise<string | null> {
  if (client.credentials && 'csrfToken' in client.credentials) return 'PERSON';
  const claims = Object.entries(claimsOf(await client.token()));
  const [, type] = claims.find(([name]) => /^https?:.*\/type$/.test(name)) ?? [];
  return typeof type === 'string' ? type : null;
}
