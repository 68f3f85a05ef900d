import { createProgram } from '../../../packages/cli/src/program.ts';
import { table } from './table.ts';

type Command = ReturnType<typeof createProgram>;

/** What docs/reference/cli.md shows of the command line, by the name of its place in the page. */
export function commandParts(): Record<string, string> {
  return { commands: commandTable() };
}

/** The commands that `--help` lists. `--help` of a command lists those below it. */
function commandTable(): string {
  const program = createProgram({
    env: {},
    terminal: { out: process.stdout, err: process.stderr },
    signal: new AbortController().signal,
  });
  const rows = visible(program).map((command) => [`\`${command.name()}\``, command.description()]);
  return table(['Command', 'What it does'], rows);
}

function visible(command: Command): Command[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .filter((one) => one.name() !== 'help');
}
