import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createProgram } from '../../../packages/cli/src/program.ts';
import { type ShownCommand, shownCommands } from './shown-commands.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** A GUID that can name a sandbox, too. */
const GUID = 'a1111111-1111-4111-8111-111111111111';
const CARD_KEY = 'ECDH-ES::7';

type Command = ReturnType<typeof createProgram>;

for (const page of globSync(['*.md', 'docs/**/*.{md,sh}'], { cwd: ROOT }).sort()) {
  const text = readFileSync(ROOT + page, 'utf8');
  const shown = shownCommands(text, page.endsWith('.sh'));
  if (shown.length === 0) continue;
  test(`docs: the command line has every command of ${page}`, async () => {
    const faults: string[] = [];
    for (const command of shown) {
      const fault = command.isWhole ? await faultOf(command) : unknownIn(command);
      if (fault)
        faults.push(`${page}:${command.line} servery ${command.words.join(' ')}: ${fault}`);
    }
    assert.deepEqual(faults, []);
  });
}

/** A program that reads a command line as the real one does, and then does nothing. */
function idleProgram(words: readonly string[]): Command {
  const silent = { write: () => true } as unknown as NodeJS.WriteStream;
  const { signal } = new AbortController();
  const terminal = { out: silent, err: silent };
  const program = createProgram({ env: {}, terminal, signal }, words);
  const idle = (command: Command) => {
    if (Reflect.get(command, '_actionHandler') !== null) command.action(() => {});
    command.commands.forEach(idle);
  };
  idle(program);
  return program;
}

/** What the command line says against a command; null when it takes it. */
async function faultOf({ words }: ShownCommand): Promise<string | null> {
  const typed = words.map((word) =>
    word
      .replace(/^\$(NEW|OLD)$/, CARD_KEY)
      .replace(/^\$\(.*\)$|\$\{?[A-Z_]+\}?|^\$\d$|^.*…$/, GUID),
  );
  return await idleProgram(typed)
    .parseAsync(typed, { from: 'user' })
    .then(
      () => null,
      (error: Error) => error.message,
    );
}

/** A command in a sentence may leave out what it takes, but what it names is there. */
function unknownIn({ words }: ShownCommand): string | null {
  let command = idleProgram(words);
  for (const word of words) {
    if (word === '--help') continue;
    const below = command.commands.find((one) => one.name() === word);
    if (below) command = below;
    // What stands behind an option may be its value.
    else if (word.startsWith('-')) return hasOption(command, word) ? null : `no option ${word}`;
    else if (command.commands.length > 0 && /^[a-z]/.test(word)) return `no command ${word}`;
  }
  return null;
}

/** Whether the command has it, one that it stands below, or one below it. */
function hasOption(command: Command, word: string): boolean {
  const has = (one: Command) => one.options.some(({ long }) => long === word.split('=')[0]);
  const above = (one: Command | null): boolean => one !== null && (has(one) || above(one.parent));
  const below = (one: Command): boolean => has(one) || one.commands.some(below);
  return above(command) || below(command);
}
