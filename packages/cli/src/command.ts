import type { Client, ItemOf, Request } from '@servery/client/back-office';
import type { AnswerOf, OperationId } from '@servery/contract';
import type { DemoClientName, DemoFile } from '@servery/server';
import type { Columns, Shown } from './shown.ts';
import type { Terminal } from './terminal.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Context {
  readonly env: Environment;
  readonly terminal: Terminal;
  /** Aborted, with what to throw, when the command is to end. */
  readonly signal: AbortSignal;
}

export interface Flags {
  readonly url?: string;
  readonly clientId?: string;
  readonly profile?: string;
  /** A sandbox of the platform, or `main`. */
  readonly sandbox?: string;
  readonly dataDir?: string;
  readonly databaseUrl?: string;
  readonly json?: boolean;
}

/** An argument or an option: how it is written, checked, and found by name at a platform. */
export interface Value<Type = unknown> {
  readonly help: string;
  /** What help shows behind a flag; a switch has none. */
  readonly placeholder?: string;
  readonly isRequired?: boolean;
  readonly isRepeated?: boolean;
  readonly choices?: readonly string[];
  readonly fallback?: unknown;
  /** How help shows the fallback. */
  readonly fallbackText?: string;
  /** Checks the form before anything is sent. `flag` begins an error message; throws. */
  readonly read?: (text: string, flag: string) => unknown;
  /** Replaces what was written by what it stands for, without a platform: a file by its content. */
  readonly load?: (written: never) => unknown;
  /** Replaces what was written by what the platform takes, for example a name by a GUID. */
  readonly find?: (written: never, at: At) => unknown;
  /** What it is when nothing was written. */
  readonly otherwise?: (at: At) => unknown;
  /** The field of the operation that it fills, when it has another name; null for none. */
  readonly field?: string | null;
  readonly completions?: (context: Context) => Promise<readonly string[]>;
  /** Only a type: what `read` and `find` make of it. */
  readonly type?: () => Type;
}

/** Arguments or options by name; `--restaurant-ref` is `restaurantRef`. */
export type Values = Readonly<Record<string, Value>>;

type Given<Declared extends Values> = {
  readonly [Name in keyof Declared]: Declared[Name] extends Value<infer Type> ? Type : never;
};

export interface Session {
  readonly client: Client;
  /** The sandbox of the data directory, when that is the platform. */
  readonly demo: DemoFile | null;
}

/** What a name can be looked up with. */
export interface At extends Session {
  /** The arguments and options that were found before. */
  readonly given: Readonly<Record<string, unknown>>;
  /** Begins an error message: `--until `, or nothing for an argument. */
  readonly flag: string;
}

export interface Call<Arguments extends Values, Options extends Values> extends Context {
  readonly args: Given<Arguments>;
  readonly options: Given<Options>;
  readonly flags: Flags;
}

export interface PlatformCall<
  Arguments extends Values = Values,
  Options extends Values = Values,
  Id extends OperationId = OperationId,
> extends Call<Arguments, Options>,
    Session {
  /** Who is logged in; null for an API account. */
  readonly person: { readonly email: string } | null;
  /** Arguments and options as parameters and fields of the operation of the command. */
  readonly request: Request;
  /** Calls that operation with this request, and with other parts if given. */
  ask(other?: Request): Promise<AnswerOf<Id>>;
  /** Calls another operation with the same path parameters. */
  read<Other extends OperationId>(id: Other): Promise<AnswerOf<Other>>;
}

interface Declaration<Arguments extends Values, Options extends Values> {
  /** Without `servery` and the family: one word, or two as in `secrets add`. */
  readonly name: string;
  readonly summary: string;
  readonly examples: readonly string[];
  /** More help, in lines of at most that many characters. */
  readonly details?: (width: number) => string;
  /** Runs when its family is called without a command. */
  readonly isDefault?: boolean;
  readonly arguments?: Arguments;
  readonly options?: Options;
  /** Checks what was given and loaded before anything is sent; throws. */
  readonly check?: (call: Call<Arguments, Options>) => void | Promise<void>;
}

/** A list that is read page by page, up to `--limit`. */
interface Pages<Item> {
  readonly columns: Columns<Item>;
  readonly empty: string | ((call: PlatformCall) => string);
  /** The rows of the table, where names replace ids. */
  readonly rows?: (items: readonly Item[], call: PlatformCall) => Promise<readonly Item[]>;
}

export interface PlatformCommand<
  Arguments extends Values,
  Options extends Values,
  Id extends OperationId,
> extends Declaration<Arguments, Options> {
  readonly on?: 'platform';
  /** The account of a sandbox that is used when nothing else is said. */
  readonly role?: DemoClientName;
  /** The operation that it calls with its arguments and options. */
  readonly operation?: Id;
  readonly pages?: Pages<ItemOf<Id>>;
  /** Default: every field of the answer. */
  readonly show?: (
    answer: AnswerOf<Id>,
    call: PlatformCall<Arguments, Options, Id>,
  ) => Shown | Promise<Shown>;
  readonly run?: (call: PlatformCall<Arguments, Options, Id>) => Promise<Shown | null>;
  /** Runs instead, before a platform is opened, for example with `--local`; null if it does not. */
  readonly local?: (call: Call<Arguments, Options>) => Promise<Shown | null> | null;
}

/** A command that works on the database itself, or on nothing. */
export interface LocalCommand<Arguments extends Values, Options extends Values>
  extends Declaration<Arguments, Options> {
  readonly on: 'database' | 'nothing';
  /** Its output is no data for programs, or is JSON anyway. */
  readonly hasNoJson?: boolean;
  /** Takes every word and flag as it is, `--help` too. */
  readonly takesAnything?: boolean;
  readonly isHidden?: boolean;
  readonly run: (call: Call<Arguments, Options>) => Promise<Shown | null>;
}

/** A command whatever its arguments and options are. */
export type AnyCommand = (PlatformCommand<never, never, never> | LocalCommand<never, never>) &
  Declaration<never, never>;

/** Commands about the same things. Their shared options stand before or behind the second word. */
export interface Family {
  readonly name: string;
  readonly summary: string;
  readonly examples: readonly string[];
  /** What the first words of commands of two words mean. */
  readonly parts?: Readonly<Record<string, string>>;
  readonly shared?: Values;
  /** Its commands are about the main environment, whichever sandbox is in use. */
  readonly isOfMain?: boolean;
  readonly commands: readonly AnyCommand[];
}

export function command<
  const Arguments extends Values,
  const Options extends Values,
  Id extends OperationId,
>(own: PlatformCommand<Arguments, Options, Id>): AnyCommand;
export function command<const Arguments extends Values, const Options extends Values>(
  own: LocalCommand<Arguments, Options>,
): AnyCommand;
export function command(own: object): AnyCommand {
  return own as AnyCommand;
}
