import { createProgram } from '../../../packages/cli/src/program.ts';
import { table } from './table.ts';

type Command = ReturnType<typeof createProgram>;

/** What docs/reference/cli.md shows of the command line, by the name of its place in the page. */
export function commandParts(): Record<string, string> {
  return { commands: commandTable() };
}

/** The commands that `--help` lists, each with the commands below it. */
function commandTable(): string {
  const program = createProgram({
    env: {},
    terminal: { out: process.stdout, err: process.stderr },
    signal: new AbortController().signal,
  });
  const rows = visible(program).map((command) => {
    const below = visible(command).flatMap((one) => namesOf(one, ''));
    const names = below.map((name) => `\`${name}\``).join(', ');
    const summary = command.description();
    return [`\`${command.name()}\``, names ? `${summary}. Subcommands: ${names}` : summary];
  });
  return table(['Command', 'What it does'], rows);
}

/** The name of a command that does something itself, and of each of those below it. */
function namesOf(command: Command, before: string): string[] {
  const name = `${before}${command.name()}`;
  const below = visible(command).flatMap((one) => namesOf(one, `${name} `));
  // Commander keeps this to itself; what only holds other commands does nothing.
  return Reflect.get(command, '_actionHandler') === null ? below : [name, ...below];
}

function visible(command: Command): Command[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .filter((one) => one.name() !== 'help');
}
