import { ConfigError } from '@servery/server/config/config.ts';
import { unknownVariables } from '@servery/server/config/unknown-variables.ts';
import { Argument, Command, Help, type OutputConfiguration } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import { examples, helpShape } from './command-shape.ts';
import type { ExportFlags } from './commands/export.ts';
import type { Profile } from './commands/generate.ts';
import type { ImportFlags } from './commands/import.ts';
import type { ProcessorFlags } from './commands/processor.ts';
import { dataDirFlags } from './data-dir.ts';
import { addOwnCommands } from './own-commands.ts';
import { configOf, onPlatform, type PlatformFlags } from './platform-flags.ts';
import { addRemoteCommands } from './remote-commands.ts';
import { addServerCommands } from './server-commands.ts';
import { widthOf } from './session.ts';
import type { Terminal } from './terminal.ts';

/** What the command line stands on; tests give their own. */
export interface ProgramDeps {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly terminal: Terminal;
  /** Aborted when a command is to end early. */
  readonly signal: AbortSignal;
  /** Gets the exit code of `servery start`. */
  readonly onExitCode: (code: number) => void;
}

const profiles = ['demo', 'empty', 'huge'] as const satisfies readonly Profile[];

const HELP = [
  'Exit codes: 0 done; 1 it could not be done; 2 the command line, a setting or a document is ' +
    'not right; 3 the platform refused; 4 the server runs here already; 5 config diff: something ' +
    'differs; 6 listen: a forward failed, webhooks test: it was not taken, webhooks verify: the ' +
    'signature is not right; 130 Ctrl-C, 143 SIGTERM. But for 0, 5 and 6, nothing was changed, ' +
    'or standard error says that this is not known.',
  'import, export, backup, restore, migrate, doctor and what has --local work on the database of ' +
    'the data folder, or of DATABASE_URL, while the server runs and while it does not. All that ' +
    'is about a platform talks to a running one over HTTP: that of --url or --profile, of ' +
    'SERVERY_URL as SERVERY_CLIENT_ID with SERVERY_CLIENT_SECRET, of the profile in use ' +
    '("servery env use"), or the sandbox of the data folder.',
];

const HELP_WIDTH = { least: 40, most: 80 };

/** Builds the `servery` command. What a command needs is loaded when it runs: help is at once. */
export function createProgram(deps: ProgramDeps): Command {
  const program = new Command('servery')
    .description('The open platform side of a restaurant point of sale.')
    .version(manifest.version)
    .exitOverride()
    .showSuggestionAfterError()
    .configureHelp(helpShape)
    .configureOutput(outputOn(deps))
    .addHelpText('after', () => inLines(HELP, helpWidth(deps)))
    // The server looks at its variables by itself, after its --help, and doctor tells of them.
    .hook('preAction', (_program, command) => {
      const looksItself = ['start', 'doctor'].includes(command.name());
      const faults = looksItself ? [] : unknownVariables(deps.env);
      if (faults.length > 0) throw new ConfigError(faults);
    });
  program
    .command('start')
    .description('start the server; flags are those of docs/reference/settings.md')
    .addHelpText('after', examples(['servery start --port 4500 --data-dir sandbox']))
    .allowUnknownOption()
    .helpOption(false)
    .argument('[flags...]')
    .action(async (flags: string[]) => {
      const { run } = await import('@servery/server/boot/run.ts');
      deps.onExitCode(await run(deps.env, [...dataDirFlags(deps.env), ...flags]));
    });
  addGroupDocuments(program, deps);
  addProcessor(program, deps);
  addServerCommands(program, deps);
  addRemoteCommands(program, deps);
  addOwnCommands(program, deps);
  tellOfHelp(program, program.name());
  return program;
}

function addGroupDocuments(program: Command, deps: ProgramDeps): void {
  onPlatform(program.command('import'))
    .description('check a group document and write it, all or nothing')
    .addHelpText('after', examples(['servery import group.json --check']))
    .argument('<file>', 'the document; - for standard input')
    .option('--replace', 'make a group that exists exactly what the document says')
    .option('--check', 'only check the document')
    .option('--json', 'print the result as JSON')
    .action(async (file: string, flags: ImportFlags & PlatformFlags) => {
      const { runImport } = await import('./commands/import.ts');
      await runImport(configOf(deps.env, flags), file, flags, deps);
    });
  onPlatform(program.command('export'))
    .description('write the document of a management group')
    .addHelpText('after', examples(['servery export --group Wrenfield --out group.json']))
    .option('--group <name or guid>', 'which group, when there are several')
    .option('--out <file>', 'a file instead of standard output')
    .action(async (flags: ExportFlags & PlatformFlags) => {
      const { runExport } = await import('./commands/export.ts');
      await runExport(configOf(deps.env, flags), flags, deps);
    });
  program
    .command('generate')
    .description('write the group document of a sandbox profile')
    .addHelpText('after', examples(['servery generate demo --out group.json']))
    .addArgument(new Argument('<profile>', 'which one').choices(profiles))
    .option('--out <file>', 'a file instead of standard output')
    .action(async (profile: Profile, { out }: ExportFlags) => {
      const { runGenerate } = await import('./commands/generate.ts');
      await runGenerate(profile, out, deps);
    });
}

function addProcessor(program: Command, deps: ProgramDeps): void {
  program
    .command('processor')
    .description('run the sandbox’s card processor as a process of its own')
    .addHelpText('after', examples(['servery processor --port 4600']))
    .option('--host <address>', 'address to bind to', '127.0.0.1')
    .option('--port <number>', '0 picks a free one (default: the one of the last run)')
    .option('--ledger <file>', 'where its ledger is (default: in the data folder)')
    .action(async (flags: ProcessorFlags) => {
      const { runProcessor } = await import('./commands/processor.ts');
      await runProcessor(flags, deps.env, deps);
    });
}

function outputOn(deps: ProgramDeps): OutputConfiguration {
  const { out, err } = deps.terminal;
  return {
    getOutHelpWidth: () => helpWidth(deps),
    getErrHelpWidth: () => helpWidth(deps),
    writeOut: (text) => out.write(text),
    writeErr: (text) => err.write(text),
    outputError: (text, write) => write(text.replace(/^error: /, 'servery: ')),
  };
}

/** How many characters a line of help may have: on a wide terminal only what is read well. */
function helpWidth(deps: ProgramDeps): number {
  return Math.max(HELP_WIDTH.least, Math.min(widthOf(deps), HELP_WIDTH.most));
}

/** Paragraphs, each after an empty line. */
function inLines(paragraphs: readonly string[], width: number): string {
  const help = new Help();
  return paragraphs.map((text) => `\n${help.boxWrap(text, width)}`).join('\n');
}

/** Lets each command say, below what is wrong with a command line, where help is. */
function tellOfHelp(command: Command, called: string): void {
  command.showHelpAfterError(`"${called} --help" tells how it is used.`);
  for (const one of command.commands) tellOfHelp(one, `${called} ${one.name()}`);
}
