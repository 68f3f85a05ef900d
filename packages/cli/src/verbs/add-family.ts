import type { Command } from 'commander';
import { asDefault, examples } from '../command-shape.ts';
import type { RemoteDeps } from '../session.ts';
import { type Family, group, type Verb } from './verb.ts';

const HELP_WIDTH = 80;

/** Adds a family of verbs to the program. */
export function addFamily(program: Command, deps: RemoteDeps, family: Family): void {
  const top = group(program, family.name, family.says, family.examples);
  for (const one of family.verbs) addVerb(parentOf(top, one, family), deps, one);
}

/** Where a verb of two words stands: below a command that is named by the first of them. */
function parentOf(top: Command, { name }: Verb, { parts }: Family): Command {
  const [first = '', second] = name.split(' ');
  if (second === undefined) return top;
  const known = top.commands.find((command) => command.name() === first);
  return known ?? top.command(first).description(parts?.[first] ?? '');
}

function addVerb(parent: Command, deps: RemoteDeps, own: Verb): void {
  const name = own.name.split(' ').at(-1) ?? '';
  const command = parent
    .command(name, { isDefault: own.isDefault ?? false })
    .description(own.says)
    .addHelpText('after', examples([own.example]));
  const { details } = own;
  if (details) {
    const { getOutHelpWidth } = command.configureOutput();
    command.addHelpText('after', () => `\n${details(getOutHelpWidth?.() ?? HELP_WIDTH)}`);
  }
  if (own.isDefault && !own.words) asDefault(command);
  for (const word of own.words ?? []) {
    if (word.read) command.argument(word.name, word.says, word.read);
    else command.argument(word.name, word.says);
  }
  for (const option of own.flags ?? []) command.addOption(option);
  command.action(async (...given: unknown[]) => {
    const words = given.slice(0, own.words?.length ?? 0).flat() as string[];
    const { runVerb } = await import('./run.ts');
    await runVerb(deps, own, words, command.optsWithGlobals());
  });
}
