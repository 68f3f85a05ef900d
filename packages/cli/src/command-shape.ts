import type { Command } from 'commander';

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
    const names = command.parent?.commands.map((one) => one.name()).join(', ');
    (command.parent ?? command).error(`error: unknown command '${word}': use one of ${names}`);
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
