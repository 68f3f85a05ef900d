import { createProgram } from '../../../packages/cli/src/program.ts';

type Command = ReturnType<typeof createProgram>;

/** What docs/reference/cli.md shows of the command line, by the name of its place in the page. */
export function commandParts(): Record<string, string> {
  return { commands: commandList() };
}

function commandList(): string {
  const program = createProgram({
    env: {},
    terminal: { out: process.stdout, err: process.stderr },
    signal: new AbortController().signal,
  });
  const rows = visible(program).flatMap((command) => rowsOf(command, ''));
  return rows.map(([command, description]) => `- ${command}: ${description}\n`).join('');
}

/** A command that does something itself, and each of those below it. */
function rowsOf(command: Command, before: string): string[][] {
  const name = `${before}${command.name()}`;
  const below = visible(command).flatMap((one) => rowsOf(one, `${name} `));
  // Commander keeps this to itself; what only holds other commands does nothing.
  if (Reflect.get(command, '_actionHandler') === null) return below;
  const words = command.registeredArguments.map((word) => {
    const shown = `${word.name()}${word.variadic ? '…' : ''}`;
    return word.required ? ` <${shown}>` : ` [${shown}]`;
  });
  return [[`\`${name}${words.join('')}\``, command.description()], ...below];
}

function visible(command: Command): Command[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .filter((one) => one.name() !== 'help');
}
