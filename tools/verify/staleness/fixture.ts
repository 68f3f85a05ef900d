import type { Watched } from './claim.ts';
import type { Subject } from './subject.ts';

/** What a restaurant says of itself; `label` stands in several of its fields. */
export interface InfoState {
  readonly label: number;
  readonly groupGuid: string;
  readonly isArchived: boolean;
}

/** What is published: `label` names the publication, `content` what it shows. */
export interface ConfigurationState {
  readonly label: number;
  /** A publication that goes back to an earlier one shows the same again. */
  readonly content: number;
}

/** The stock of a restaurant: `content` stands in the quantities of several items. */
export interface StockState {
  readonly content: number;
  /** Whether the item is out that the clock puts back. */
  readonly isOut: boolean;
}

/** Whether a restaurant is connected to a partner, and the reference that it goes by there. */
export interface ConnectionState {
  readonly isOn: boolean;
  readonly label: number;
}

/** What an account may do. */
export interface ClientState {
  readonly isRevoked: boolean;
  readonly scopes: readonly string[];
}

/** Whether a token was revoked. */
interface TokenState {
  readonly isRevoked: boolean;
}

/** A token that an account was given. */
export interface Token {
  readonly text: string;
  readonly life: Subject<TokenState>;
}

/** A restaurant that changes. */
export interface Place {
  /** Stands before every text of it, so that another one's are noticed. */
  readonly tag: string;
  readonly guid: string;
  /** Its number, which its GUIDs are made of. */
  readonly number: number;
  readonly itemCount: number;
  readonly info: Subject<InfoState>;
  readonly configuration: Subject<ConfigurationState>;
  readonly stock: Subject<StockState>;
  /** The contents that menus showed, by their `lastUpdated`. */
  readonly menusShown: Map<string, number>;
}

/** A partner with its connections, by the GUIDs of restaurants. */
export interface Partner {
  readonly name: string;
  readonly guid: string;
  readonly connections: ReadonlyMap<string, Subject<ConnectionState>>;
}

/** An API account of a partner, of a management group, or of the back office. */
export interface Account {
  readonly name: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly partner: Partner | null;
  /** Null for the account of a partner, or of the whole platform. */
  readonly groupGuid: string | null;
  readonly client: Subject<ClientState>;
  /** Those that it was given; another one when its scopes were changed, or one was revoked. */
  readonly tokens: Token[];
}

/** All that changes in a run. */
export interface Fixture {
  readonly places: readonly Place[];
  readonly partners: readonly Partner[];
  /** Of the groups that restaurants move between, the first has those that stay. */
  readonly groupGuids: readonly [string, string];
  /** Those in use now; accounts come and go. */
  readonly accounts: Account[];
  /** The accounts that stay as they are, so that most reads are answered. */
  readonly steady: Account;
  /** Of the back office of the whole platform; stays as it is, too. */
  readonly office: Account;
  /** When it was built, by the clock of the environment, in ISO 8601. */
  readonly builtAt: string;
  /** Everything that changes, for the report. */
  readonly subjects: Watched[];
}

/** What the account of the back office may do. */
export const OFFICE_SCOPE = 'stock.admin:read';

/** Scopes that accounts here may have. */
export const READ_SCOPES = ['config:read', 'menus:read', 'restaurants:read', 'stock:read'] as const;
