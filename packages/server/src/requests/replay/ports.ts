import type {
  BackOfficeScope,
  LoggedRequestDetails,
  RequestOfCopy,
  SandboxDemo,
} from '@servery/contract';
import type { ChangeOrigin } from '../../audit/entry-store.ts';
import type { Sent } from '../../http/operation.ts';

/** Who a logged request came from. */
export type Sender =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'client'; readonly clientId: string }
  | { readonly kind: 'person'; readonly personGuid: string };

export interface TestCard {
  readonly number: string;
  readonly description: string;
  readonly cvvLength: number;
}

export interface BillingPlace {
  readonly zipCode: string;
  readonly country: string;
}

export interface EncryptedCard {
  readonly keyId: string;
  readonly encryptedCardData: unknown;
}

/** How to find a request in the log: by its response, or if none came, by its trace. */
export interface LogMark {
  readonly requestId: string | null;
  readonly traceparent: string;
  /** In real time. */
  readonly sentMs: number;
}

/** What a replay needs of an environment, which may be another one than the addressed one. */
export interface ReplayEnvironment {
  baseUrl(): string;
  readNowMs(): Promise<number>;
  realNowMs(): number;
  /** Which back office scopes the sender holds. Throws ApiError if it is unknown or not active. */
  scopesOf(sender: Sender): Promise<readonly BackOfficeScope[]>;
  signIn(sender: Sender): Promise<SignedIn>;
  /** Makes a card key for the client if it has none. */
  encryptCard(clientId: string, card: TestCard, at: BillingPlace): Promise<EncryptedCard>;
  /** Null as long as the log does not have it. */
  findLogged(mark: LogMark): Promise<LoggedRequestDetails | null>;
}

interface SignedIn {
  readonly headers: Readonly<Record<string, string>>;
  signOut(): Promise<void>;
}

/** An environment that requests can be sent to. */
export interface ReplayTarget {
  readonly name: string;
  /** Where this machine reaches it. */
  readonly url: string;
  readonly environment: ReplayEnvironment;
  readonly expiresAt: Date | null;
  /** Null if it was there before. */
  readonly demo: Sent<SandboxDemo> | null;
  /** Call it once. */
  leave(): void;
  /** Drops what was made for the replay. */
  undo(): Promise<void>;
}

export interface ReplayTargets {
  /** The base address of the main environment. */
  mainUrl(): string;
  /** Throws ApiError `notFound`, which names what exists. */
  enter(name: string): Promise<ReplayTarget>;
  /** A new copy of the addressed environment. */
  copy(origin: ChangeOrigin, replayOf: RequestOfCopy): Promise<ReplayTarget>;
}
