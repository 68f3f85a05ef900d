import { type Config, readConfig } from '@servery/server/config.ts';
import { run as runServer } from '@servery/server/run.ts';
import { Argument, Command } from 'commander';
import { type ExportFlags, runExport } from './commands/export.ts';
import { profiles, runGenerate } from './commands/generate.ts';
import { type ImportFlags, runImport } from './commands/import.ts';
import type { Terminal } from './terminal.ts';

/** What the command line stands on; tests give their own. */
export interface ProgramDeps {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly terminal: Terminal;
  /** Gets the exit code of `servery start`. */
  readonly onExitCode: (code: number) => void;
}

interface PlatformFlags {
  readonly dataDir?: string;
  readonly databaseUrl?: string;
}

const HELP = `
Exit codes: 0 done; 1 it could not be done; 2 the command line, a setting or a
document is not right; 130 interrupted. With 1, 2 and 130 nothing was changed.

The commands work on the database of the data folder, or of DATABASE_URL, while
the server runs and while it does not.`;

/** Builds the `servery` command. */
export function createProgram(deps: ProgramDeps): Command {
  const { terminal } = deps;
  const program = new Command('servery')
    .description('The open platform side of a restaurant point of sale.')
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: (text) => terminal.out.write(text),
      writeErr: (text) => terminal.err.write(text),
    })
    .addHelpText('after', HELP);
  program
    .command('start')
    .description('start the server; flags are those of docs/settings.md')
    .allowUnknownOption()
    .helpOption(false)
    .argument('[flags...]')
    .action(async (flags: string[]) => deps.onExitCode(await runServer(deps.env, flags)));
  onPlatform(program.command('import'))
    .description('check a group document and write it, all or nothing')
    .argument('<file>', 'the document; - for standard input')
    .option('--replace', 'make a group that exists exactly what the document says')
    .option('--check', 'only check the document')
    .option('--json', 'print the result as JSON')
    .action((file: string, flags: ImportFlags & PlatformFlags) =>
      runImport(configOf(deps, flags), file, flags, terminal),
    );
  onPlatform(program.command('export'))
    .description('write the document of a management group')
    .option('--group <name or guid>', 'which group, when there are several')
    .option('--out <file>', 'a file instead of standard output')
    .action((flags: ExportFlags & PlatformFlags) =>
      runExport(configOf(deps, flags), flags, terminal),
    );
  program
    .command('generate')
    .description('write the group document of a sandbox profile')
    .addArgument(new Argument('<profile>', 'which one').choices(profiles))
    .option('--out <file>', 'a file instead of standard output')
    .action((profile: (typeof profiles)[number], { out }: ExportFlags) =>
      runGenerate(profile, out, terminal),
    );
  return program;
}

function onPlatform(command: Command): Command {
  return command
    .option('--data-dir <folder>', 'folder of the embedded database (SERVERY_DATA_DIR)')
    .option('--database-url <url>', 'a PostgreSQL to use instead (DATABASE_URL)');
}

function configOf({ env }: ProgramDeps, { dataDir, databaseUrl }: PlatformFlags): Config {
  return readConfig(env, [
    ...(dataDir === undefined ? [] : ['--data-dir', dataDir]),
    ...(databaseUrl === undefined ? [] : ['--database-url', databaseUrl]),
  ]);
}
