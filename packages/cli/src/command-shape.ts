import type { Argument, Command, HelpConfiguration, Option } from 'commander';
import { didYouMean } from './verbs/did-you-mean.ts';

/** How every help is laid out: in lines for the terminal, also where it is narrow. */
export const helpShape: HelpConfiguration = {
  showGlobalOptions: true,
  minWidthToWrap: 12,
  // That it takes options is told by its own help; here it would leave the words no room.
  subcommandTerm: (command) =>
    [command.name(), ...command.registeredArguments.map(wordOf)].join(' '),
  visibleGlobalOptions: optionsAbove,
};

function wordOf(word: Argument): string {
  const name = `${word.name()}${word.variadic ? '...' : ''}`;
  return word.required ? `<${name}>` : `[${name}]`;
}

/** The options that a command has from those around it; only the outermost tells a version. */
function optionsAbove({ parent }: Command): Option[] {
  if (parent?.parent === null || parent === null) return [];
  return [...parent.options.filter(({ hidden }) => !hidden), ...optionsAbove(parent)];
}

/** Adds lines to the help of a command that show how it is used. */
export function withExamples(command: Command, lines: readonly string[]): Command {
  return command.addHelpText('after', examples(lines));
}

/** What stands below the help of a command: how it is used. */
export function examples(lines: readonly string[]): string {
  const title = lines.length === 1 ? 'Example:' : 'Examples:';
  return `\n${[title, ...lines.map((line) => `  ${line}`)].join('\n')}`;
}

/** A word that is no command reaches the default one as an argument, of which that takes none. */
export function asDefault(command: Command): Command {
  return command.allowExcessArguments().hook('preAction', () => {
    const [word] = command.args;
    if (word === undefined) return;
    const names = command.parent?.commands.map((one) => one.name()) ?? [];
    const meant = didYouMean(word, names) || '.';
    (command.parent ?? command).error(
      `error: unknown command '${word}'${meant} Use one of ${names.join(', ')}`,
    );
  });
}

/**
 * Lets `read`, which throws for it, tell what is wrong with a word such as `-5m` where the command
 * takes a word and no such option.
 */
export function withDashedWord(command: Command, read: (word: string) => unknown): Command {
  const tell = command.error.bind(command);
  command.error = (message, options) => {
    const [, word] = /unknown option '(-\d[^']*)'/.exec(message) ?? [];
    if (word !== undefined) read(word);
    return tell(message, options);
  };
  return command;
}
