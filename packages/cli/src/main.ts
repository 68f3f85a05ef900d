import { enableCompileCache } from 'node:module';
import { InvalidGroupDocument } from '@servery/server/backoffice/group-document/faults.ts';
import { ConfigError } from '@servery/server/config.ts';
import { CommanderError } from 'commander';
import { CommandFailure, exitCodes, Interrupted } from './exit-codes.ts';
import { createProgram } from './program.ts';
import { printable } from './terminal.ts';

enableCompileCache();
const isStart = process.argv[2] === 'start';
const ending = new AbortController();
// The server stops by itself. Every other command gives back what it holds, then ends.
if (!isStart) {
  endAt('SIGINT', exitCodes.interrupted);
  endAt('SIGTERM', exitCodes.terminated);
}
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader such as `head` that has seen enough is no failure.
  const hasEnough = error.code === 'EPIPE';
  const reason = hasEnough
    ? new Interrupted('', exitCodes.ok)
    : new Interrupted(`the output cannot be written: ${error.message}`, exitCodes.failure);
  if (isStart) process.exit(reason.exitCode);
  ending.abort(reason);
});

process.exitCode = exitCodes.ok;
const program = createProgram({
  env: process.env,
  terminal: { out: process.stdout, err: process.stderr },
  signal: ending.signal,
  onExitCode: (code) => {
    process.exitCode = code;
  },
});
try {
  await program.parseAsync(process.argv);
} catch (error) {
  process.exitCode = report(error);
}
if (isStart) process.exit();

/** Ends the command at the signal: in good order at the first one, at once at the second. */
function endAt(name: NodeJS.Signals, exitCode: number): void {
  process.on(name, () => {
    if (ending.signal.aborted) process.exit(exitCode);
    ending.abort(new Interrupted('ended before it was done; nothing was changed', exitCode));
  });
}

/** Tells what went wrong in words; gives the exit code. */
function report(error: unknown): number {
  if (error instanceof CommanderError) {
    return error.exitCode === 0 ? exitCodes.ok : exitCodes.invalid;
  }
  if (error instanceof CommandFailure) {
    if (error.message !== '') tell(error.message);
    return error.exitCode;
  }
  if (error instanceof ConfigError) {
    tell(`the settings are not right:\n${error.faults.map((fault) => `  - ${fault}`).join('\n')}`);
    return exitCodes.invalid;
  }
  if (error instanceof InvalidGroupDocument) {
    const { faultCount, message } = error;
    const count = faultCount === 1 ? 'one fault' : `${faultCount} faults`;
    tell(`the document has ${count} and nothing was imported:\n${message}`);
    return exitCodes.invalid;
  }
  tell(messageOf(error));
  return exitCodes.failure;
}

function tell(text: string): void {
  process.stderr.write(`servery: ${printable(text)}\n`);
}

/** A connection that fails at each of several addresses has no message of its own. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return messageOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
