import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Context } from './command.ts';
import { CommandFailure, exitCodes } from './exit-codes.ts';

/**
 * Asks the person at the terminal for a line; what is typed is not shown when `isHidden`. Throws
 * CommandFailure when the terminal is closed, and what the signal is aborted with.
 */
export async function askPerson(
  { terminal, signal }: Pick<Context, 'terminal' | 'signal'>,
  question: string,
  { isHidden }: { readonly isHidden: boolean },
): Promise<string> {
  terminal.err.write(question);
  const shown = isHidden
    ? new Writable({ write: (_chunk, _encoding, done) => done() })
    : process.stderr;
  const lines = createInterface({ input: process.stdin, output: shown, terminal: true });
  // In raw mode the terminal sends no signal at Ctrl-C.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  const closed = new Promise<never>((_resolve, reject) => {
    lines.on('close', () => reject(new CommandFailure('nothing was typed.', exitCodes.invalid)));
  });
  try {
    return await Promise.race([lines.question('', { signal }), closed]);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    lines.close();
    if (isHidden) terminal.err.write('\n');
  }
}
