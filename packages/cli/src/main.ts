import { InvalidGroupDocument } from '@servery/server/backoffice/group-document/faults.ts';
import { ConfigError } from '@servery/server/config.ts';
import { CommanderError } from 'commander';
import { exitCodes } from './exit-codes.ts';
import { createProgram } from './program.ts';

const isStart = process.argv[2] === 'start';
// The server stops by itself. Everything else is one transaction, which ends with the process.
if (!isStart) process.on('SIGINT', () => process.exit(exitCodes.interrupted));
// A reader such as `head` that has seen enough is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? exitCodes.ok : exitCodes.failure);
});

process.exitCode = exitCodes.ok;
const program = createProgram({
  env: process.env,
  terminal: { out: process.stdout, err: process.stderr },
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

/** Tells what went wrong in words; gives the exit code. */
function report(error: unknown): number {
  if (error instanceof CommanderError)
    return error.exitCode === 0 ? exitCodes.ok : exitCodes.invalid;
  if (error instanceof ConfigError) {
    const lines = error.faults.map((fault) => `  - ${fault}\n`).join('');
    process.stderr.write(`servery: the settings are not right:\n${lines}`);
    return exitCodes.invalid;
  }
  if (error instanceof InvalidGroupDocument) {
    const { faultCount, message } = error;
    const count = faultCount === 1 ? 'one fault' : `${faultCount} faults`;
    process.stderr.write(
      `servery: the document has ${count} and nothing was imported:\n${message}\n`,
    );
    return exitCodes.invalid;
  }
  process.stderr.write(`servery: ${error instanceof Error ? error.message : String(error)}\n`);
  return exitCodes.failure;
}
