import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Remote } from '../back-office.ts';
import { withExamples } from '../command-shape.ts';
import type { RemoteDeps, RemoteFlags, Session } from '../session.ts';
import type { Finder } from './finder.ts';
import { DEFAULT_LIMIT } from './limit.ts';
import type { Shown } from './shown.ts';

/** A word that a verb takes after its name. */
interface Word {
  /** As help shows it: `<restaurant>`, `[name]`, `<item...>`. */
  readonly name: string;
  readonly says: string;
  /** Checks the form of the word before anything is sent; throws CommandFailure. */
  readonly read?: (text: string) => string;
}

/** What a verb works with: the words and flags of the command line, and the platform. */
export interface Call<Flags> {
  readonly words: readonly string[];
  readonly flags: Flags & RemoteFlags;
  readonly remote: Remote;
  readonly demo: Session['demo'];
  /** Finds what people call by name. */
  readonly find: Finder;
  readonly deps: RemoteDeps;
}

/** One thing that can be done to resources of a kind: what is typed, and what it does. */
export interface VerbOf<Flags> {
  /** One word, or two as in `secrets add`. */
  readonly name: string;
  readonly says: string;
  readonly example: string;
  /** What its help says beside, in lines of at most that many characters. */
  readonly details?: (width: number) => string;
  /** What the family does when no verb is named. */
  readonly isDefault?: boolean;
  readonly words?: readonly Word[];
  readonly flags?: readonly Option[];
  /** Null when all was shown as it came. */
  readonly run: (call: Call<Flags>) => Promise<Shown | null>;
  /** What is done instead, without a platform, when `--local` or `isLocal` says so. */
  readonly local?: (deps: RemoteDeps, words: readonly string[], flags: Flags) => Promise<void>;
  readonly isLocal?: (flags: Flags) => boolean;
}

/** A verb whatever its flags are. */
export type Verb = VerbOf<never>;

/** A command of commands: the verbs for resources of one kind. */
export interface Family {
  readonly name: string;
  readonly says: string;
  readonly examples: readonly string[];
  /** What verbs of two words do, by the first of them. */
  readonly parts?: Readonly<Record<string, string>>;
  readonly verbs: readonly Verb[];
}

/** A verb with the flags of this type; it is only here so that their type is checked. */
export function verb<Flags extends object>(own: VerbOf<Flags>): Verb {
  return own;
}

/** An option that may be left out. `read` checks its form, and throws CommandFailure. */
export function flag(name: string, says: string, read?: (text: string) => string): Option {
  const option = new Option(name, says);
  return read ? option.argParser(read) : option;
}

/** An option that cannot be left out. */
export function needed(name: string, says: string, read?: (text: string) => string): Option {
  return flag(name, `required: ${says}`, read).makeOptionMandatory();
}

/** An option that can be given several times; its value is the list. */
export function repeated(name: string, says: string): Option {
  return new Option(name, says).argParser((text: string, before: readonly string[] = []) => [
    ...before,
    text,
  ]);
}

/** Ten pages: a budget of requests per second has room for them. */
const LIMIT_AT_MOST = 2_000;

/** How many objects a list shows. */
export function limitFlag(): Option {
  return new Option('--limit <count>', 'so many at most')
    .argParser((text) => {
      const count = Number(text);
      if (Number.isInteger(count) && count >= 1 && count <= LIMIT_AT_MOST) return count;
      throw new InvalidArgumentError(`Say a number from 1 to ${LIMIT_AT_MOST}.`);
    })
    .default(DEFAULT_LIMIT);
}

/** Gives a command the options that say which platform it talks to, and as whom. */
export function onRemote(command: Command): Command {
  return command
    .option('--url <address>', 'which platform (SERVERY_URL)')
    .option('--client-id <client>', 'as whom (SERVERY_CLIENT_ID)')
    .option('--profile <name>', 'both, by a name: see servery env (SERVERY_ENV)')
    .option('--data-dir <folder>', 'where demo.json is (SERVERY_DATA_DIR)');
}

/** A command of commands: its options are those of all of them, before or after their names. */
export function group(
  program: Command,
  name: string,
  description: string,
  lines: readonly string[],
): Command {
  const command = onRemote(program.command(name))
    .description(description)
    .option('--json', 'print JSON');
  return withExamples(command, lines);
}
