// First, because what is imported below may use it at once.
import '@servery/support/temporal.ts';

import { exitCodes, Interrupted } from './exit-codes.ts';
import { createProgram } from './program.ts';
import { report } from './report.ts';

const isStart = process.argv[2] === 'start';
const ending = new AbortController();
let isHurried = false;
// The server handles signals itself.
if (!isStart) {
  endAt('SIGINT', exitCodes.interrupted);
  endAt('SIGTERM', exitCodes.terminated);
}
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (isStart) return;
  // A reader, for example `head`, may stop reading early.
  const hasEnough = error.code === 'EPIPE';
  const reason = hasEnough
    ? new Interrupted('', exitCodes.ok)
    : new Interrupted(`the output cannot be written: ${error.message}`, exitCodes.failure);
  ending.abort(reason);
});

// Nobody may be left to read what standard error says.
process.stderr.on('error', () => {});

process.exitCode = exitCodes.ok;
const context = {
  env: process.env,
  terminal: { out: process.stdout, err: process.stderr },
  signal: ending.signal,
};
const program = createProgram(context, process.argv.slice(2));
try {
  await program.parseAsync(process.argv);
} catch (error) {
  process.exitCode = report(error, context);
}
if (isStart) process.exit();

/**
 * Ends the command at the signal: in order at the first one; at the second at once, but for the
 * embedded PostgreSQL, which nothing else would stop; a third one waits for nothing.
 */
function endAt(name: NodeJS.Signals, exitCode: number): void {
  process.on(name, async () => {
    if (isHurried) process.exit(exitCode);
    if (ending.signal.aborted) {
      isHurried = true;
      const { stopEmbeddedDatabases } = await import('@servery/postgres/embedded.ts');
      await stopEmbeddedDatabases().catch(() => {});
      process.exit(exitCode);
    }
    ending.abort(new Interrupted('interrupted; nothing was changed', exitCode));
  });
}
