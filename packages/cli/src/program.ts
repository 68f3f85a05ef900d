import { ConfigError, unknownVariables } from '@servery/server';
import {
  Argument,
  Command,
  type ErrorOptions,
  Help,
  type HelpConfiguration,
  Option,
} from 'commander';
import manifest from '../package.json' with { type: 'json' };
import type { AnyCommand, Context, Family, Flags, Value, Values } from './command.ts';
import { completionCommands } from './commands/completion.ts';
import { commands } from './commands.ts';
import { invalidUsage } from './exit-codes.ts';
import { didYouMean, whatToUse } from './find/did-you-mean.ts';
import { quoted } from './readers.ts';
import { kebab, runCommand } from './run.ts';
import { MAIN, sandboxName } from './sandbox-accounts.ts';
import { lookOf } from './session.ts';
import { fitted } from './tell.ts';
import { widthOf } from './terminal.ts';
import { clientNames, profileNames, sandboxNames, text, toggle } from './values.ts';

const EXIT_CODES =
  'Exit codes: 0 success; 1 failure; 2 the command line, a setting, or a document is ' +
  'wrong, or a name is unknown; 3 the platform refused the request; 4 start: the server is already running; 5 config ' +
  'diff, sandbox diff, requests replay --diff: something differs; 6 listen: a forward failed, ' +
  'webhooks test: the event was not accepted, webhooks verify: the signature is wrong, conform and ' +
  'certify: a check failed; 130 Ctrl-C; ' +
  '143 SIGTERM. With any code except 0, 5, and 6, nothing was changed, unless standard error says ' +
  'that the outcome is unknown, or that the clock stopped early (1): then it has moved.';
const PLACES =
  'import, export, backup, restore, migrate, doctor, people link, and commands with --local use ' +
  'the database in the data directory or at DATABASE_URL, whether or not the server is running. ' +
  'start, processor, env, cards, generate, completion, webhooks verify, and audit verify --file ' +
  'call no platform. Most other commands call a running platform over HTTP: the one named by ' +
  '--url, --profile, or SERVERY_URL, the profile in use ("servery env use"), or the sandbox in the ' +
  'data directory. --sandbox or SERVERY_SANDBOX names a sandbox alongside its main environment ' +
  '("servery sandbox").';

const HELP_WIDTH = { least: 40, most: 80 };

const shared: Readonly<Record<'platform' | 'database' | 'nothing', Values>> = {
  platform: {
    url: text('<address>', 'address of the platform (SERVERY_URL)'),
    clientId: {
      ...text('<client>', 'API account to use (SERVERY_CLIENT_ID)'),
      completions: clientNames,
    },
    profile: {
      ...text('<name>', 'profile to use: see servery env (SERVERY_ENV)'),
      completions: profileNames,
    },
    sandbox: {
      ...text('<name>', 'sandbox to use: see servery sandbox (SERVERY_SANDBOX)', sandboxName),
      completions: sandboxNames,
    },
    dataDir: text('<directory>', 'directory with demo.json (SERVERY_DATA_DIR)'),
  },
  database: {
    dataDir: text('<directory>', 'directory of the embedded database (SERVERY_DATA_DIR)'),
    databaseUrl: text('<url>', 'a PostgreSQL to use instead (DATABASE_URL)'),
  },
  nothing: {},
};
const json = { json: toggle('print JSON') };

const helpShape: HelpConfiguration = {
  showGlobalOptions: true,
  minWidthToWrap: 12,
  subcommandTerm: (command) =>
    [command.name(), ...command.registeredArguments.map(termOf)].join(' '),
  visibleGlobalOptions: optionsAbove,
};

/** Suggests the nearest command or flag, wherever the line goes wrong. */
class OwnCommand extends Command {
  override createCommand(name?: string): Command {
    return new OwnCommand(name);
  }

  override error(message: string, options?: ErrorOptions): never {
    const [, kind, word] = /unknown (command|option) '([^'=]*)/.exec(message) ?? [];
    if (word === undefined) return super.error(message, options);
    const names = kind === 'option' ? flagsOf(this) : visibleNames(this);
    return super.error(`${message}${didYouMean(word, names) || '.'}`, options);
  }
}

/**
 * Builds the `servery` command. What a command needs is loaded when it runs. With the `words` of a
 * line, only the families that it names get their commands.
 */
export function createProgram(context: Context, words?: readonly string[]): Command {
  const program = new OwnCommand('servery')
    .description('Servery, an open-source platform for restaurant point-of-sale integrations.')
    .version(manifest.version)
    .exitOverride()
    .showSuggestionAfterError(false)
    .configureHelp(helpShape)
    .configureOutput(outputOn(context))
    .addHelpText('after', () =>
      [EXIT_CODES, PLACES].map((part) => `\n${wrapped(part, helpWidth(context))}`).join('\n'),
    )
    // The server checks its variables itself, after its --help, and doctor reports them.
    .hook('preAction', (_program, command) => {
      const isExempt = ['start', 'doctor', 'help'].includes(command.name());
      const faults = isExempt ? [] : unknownVariables(context.env);
      if (faults.length > 0) throw new ConfigError(faults);
    });
  const values = new Map<Argument | Option, Value>();
  const builder = { context, values };
  for (const own of commands) {
    if (!('commands' in own)) addCommand(builder, program, own);
    else if (words?.includes(own.name) ?? true) addFamily(builder, program, own);
    else program.command(own.name).description(own.summary);
  }
  for (const own of completionCommands(program, (one) => values.get(one))) {
    addCommand(builder, program, own);
  }
  addHelp(program);
  mentionHelp(program, program.name());
  return program;
}

interface Builder {
  readonly context: Context;
  readonly values: Map<Argument | Option, Value>;
}

function addFamily(builder: Builder, program: Command, family: Family): void {
  const { name, summary, examples, commands: own } = family;
  const top = program
    .command(name)
    .description(summary)
    .addHelpText('after', exampleText(examples));
  const options = { ...sharedBy('platform', family), ...family.shared, ...json };
  for (const [flag, value] of Object.entries(options)) addOption(builder, top, flag, value);
  for (const one of own) addCommand(builder, top, one, family);
}

function sharedBy(place: keyof typeof shared, { isOfMain = false }: Partial<Family>): Values {
  const { sandbox, ...rest } = shared[place];
  return isOfMain || sandbox === undefined ? rest : { ...rest, sandbox };
}

function addCommand(
  builder: Builder,
  top: Command,
  own: AnyCommand,
  family: Partial<Family> = {},
): void {
  const { context } = builder;
  const words = own.name.split(' ');
  const name = words.pop() ?? '';
  let parent = top;
  for (const word of words) {
    const known = parent.commands.find((one) => one.name() === word);
    parent = known ?? parent.command(word).description(family.parts?.[word] ?? '');
  }
  const isElsewhere = own.on === 'database' || own.on === 'nothing';
  const { takesAnything = false, hasNoJson = false, isHidden = false } = isElsewhere ? own : {};
  const command = parent
    .command(name, { isDefault: own.isDefault ?? false, hidden: isHidden })
    .description(own.summary);
  if (own.examples.length > 0) command.addHelpText('after', exampleText(own.examples));
  const { details } = own;
  if (details) command.addHelpText('after', () => `\n${details(helpWidth(context))}`);
  if (takesAnything) command.allowUnknownOption().helpOption(false);
  const args: Values = own.arguments ?? {};
  const options: Values = own.options ?? {};
  for (const [key, value] of Object.entries(args)) addArgument(builder, command, key, value);
  const common = sharedBy(own.on ?? 'platform', family);
  const all = { ...options, ...common, ...(hasNoJson ? {} : json) };
  for (const [key, value] of Object.entries(all)) addOption(builder, command, key, value);
  if (own.isDefault && Object.keys(args).length === 0) refuseWords(command);
  refuseDashedWord(command, Object.values(args)[0]);
  command.action(async (...given: unknown[]) => {
    const read = Object.keys(args).map((key, at) => [key, given[at]] as const);
    const written = command.optsWithGlobals<Flags & Record<string, unknown>>();
    const flags = family.isOfMain ? { ...written, sandbox: MAIN } : written;
    const chosen = Object.keys(options).map((key) => [key, flags[key]] as const);
    const line = { args: Object.fromEntries(read), options: Object.fromEntries(chosen), flags };
    await runCommand(own, context, line);
  });
}

function addArgument({ values }: Builder, command: Command, key: string, value: Value): void {
  const { help, isRequired, isRepeated, read, choices } = value;
  const name = `${kebab(key)}${isRepeated ? '...' : ''}`;
  const argument = new Argument(isRequired ? `<${name}>` : `[${name}]`, help);
  if (choices) argument.choices(choices).argParser(chosen(choices, `<${name}> `, command));
  if (read) argument.argParser((written) => read(written, ''));
  values.set(argument, value);
  command.addArgument(argument);
}

/** Reads one of some words. */
function chosen(
  choices: readonly string[],
  label: string,
  command: Command,
): (written: string) => string {
  return (written) => {
    if (choices.includes(written)) return written;
    const help = `${calledOf(command)} --help`;
    throw invalidUsage(`${label}${quoted(written)} is unknown${whatToUse(written, choices, help)}`);
  };
}

/** The command as it is typed: `servery faults add`. */
function calledOf(command: Command): string {
  return command.parent ? `${calledOf(command.parent)} ${command.name()}` : command.name();
}

/** Adds an option, unless the command has it from above. */
function addOption({ values }: Builder, command: Command, key: string, value: Value): void {
  const long = `--${kebab(key)}`;
  for (let above = command.parent; above; above = above.parent) {
    if (above.options.some((option) => option.long === long)) return;
  }
  const { help, placeholder, isRequired, isRepeated, read, choices, fallback } = value;
  // A switch that is on is turned off.
  const name = fallback === true ? `--no-${kebab(key)}` : long;
  const flags = placeholder === undefined ? name : `${name} ${placeholder}`;
  const option = new Option(flags, isRequired ? `required: ${help}` : help);
  if (choices) option.choices(choices).argParser(chosen(choices, `${long} `, command));
  if (isRequired) option.makeOptionMandatory();
  if (read) option.argParser((written) => read(written, `${long} `));
  if (isRepeated) {
    option.argParser((written, before: readonly string[] = []) => [...before, written]);
  }
  if (fallback !== undefined && fallback !== true) option.default(fallback, value.fallbackText);
  values.set(option, value);
  command.addOption(option);
}

/** A word that is no command reaches the default one, which takes no words. */
function refuseWords(command: Command): void {
  command.allowExcessArguments().hook('preAction', () => {
    const [word] = command.args;
    if (word !== undefined) unknownCommand(command.parent ?? command, word);
  });
}

/** Lets the reader of an argument say what is wrong with, for example, `-5m`. */
function refuseDashedWord(command: Command, first: Value | undefined): void {
  const tell = command.error.bind(command);
  command.error = (message, options) => {
    const [, word] = /unknown option '(-\d[^']*)'/.exec(message) ?? [];
    if (word !== undefined) first?.read?.(word, '');
    return tell(message, options);
  };
}

/** Commander's own help command shows some help for any word. */
function addHelp(top: Command): void {
  for (const one of top.commands) if (one.commands.length > 0) addHelp(one);
  const help = top.command('help').description('display help for command');
  help.argument('[command...]').action((words: readonly string[]) => {
    let found = top;
    for (const word of words) {
      const below = found.commands.find((one) => one.name() === word);
      found = below ?? unknownCommand(found, word);
    }
    found.help();
  });
}

function unknownCommand(above: Command, word: string): never {
  return above.error(`error: unknown command '${word}'`);
}

function visibleNames(command: Command): readonly string[] {
  const visible = command.createHelp().visibleCommands(command);
  return visible.map((one) => one.name());
}

function flagsOf(command: Command): readonly string[] {
  const own = command.createHelp().visibleOptions(command);
  return [...own, ...optionsAbove(command)].flatMap(({ long }) => long ?? []);
}

function termOf(word: Argument): string {
  const name = `${word.name()}${word.variadic ? '...' : ''}`;
  return word.required ? `<${name}>` : `[${name}]`;
}

/** The options that a command has from those above it; only the program tells its version. */
function optionsAbove({ parent }: Command): Option[] {
  if (!parent?.parent) return [];
  return [...parent.options.filter(({ hidden }) => !hidden), ...optionsAbove(parent)];
}

function exampleText(examples: readonly string[]): string {
  const title = examples.length === 1 ? 'Example:' : 'Examples:';
  return `\n${[title, ...examples.map((line) => `  ${line}`)].join('\n')}`;
}

function outputOn(context: Context) {
  const { out, err } = context.terminal;
  return {
    getOutHelpWidth: () => helpWidth(context),
    getErrHelpWidth: () => helpWidth(context),
    writeOut: (words: string) => out.write(words),
    writeErr: (words: string) => err.write(words),
    outputError: (words: string, write: (words: string) => void) =>
      write(fitted(words.replace(/^error: /, 'servery: '), widthOf(err, context.env))),
  };
}

function helpWidth(context: Context): number {
  return Math.max(HELP_WIDTH.least, Math.min(lookOf(context).width, HELP_WIDTH.most));
}

/** Text in lines of at most that many characters. */
function wrapped(words: string, width: number): string {
  return new Help().boxWrap(words, width);
}

function mentionHelp(command: Command, called: string): void {
  command.showHelpAfterError(`For help, run "${called} --help".`);
  for (const one of command.commands) mentionHelp(one, `${called} ${one.name()}`);
}
