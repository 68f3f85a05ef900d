import { once } from 'node:events';
import { EXIT_TAKEN } from './ledger-lock.ts';
import { LedgerTaken, runSimulator } from './run.ts';

/**
 * Runs the simulator for the server that started this process. Prints its address in one line and
 * ends with its standard input, so it never outlives its server. Returns the exit code.
 */
export async function runAsChild(args: readonly string[]): Promise<number> {
  const [host = '127.0.0.1', ledgerFile = ''] = args;
  // Ctrl-C is for the server, which may still have calls to make.
  process.on('SIGINT', () => {});
  const ended = once(process.stdin.resume(), 'end');
  const stopped = Promise.race([ended, once(process, 'SIGTERM')]);
  try {
    const running = await runSimulator({ host, port: null, ledgerFile });
    process.stdout.write(`processor ready ${running.url}\n`);
    await Promise.race([stopped, running.failed]);
    await running.stop();
    return 0;
  } catch (error) {
    if (error instanceof LedgerTaken) return EXIT_TAKEN;
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}
