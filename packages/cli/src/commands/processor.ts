import { resolve } from 'node:path';
import { simulatorLedgerFile } from '@servery/card-simulator/ledger-file.ts';
import { runSimulator } from '@servery/card-simulator/run.ts';
import { ConfigError } from '@servery/server/config/config.ts';
import { settings } from '@servery/server/config/settings.ts';
import { nearestDataDir } from '../data-dir.ts';
import type { CommandContext } from '../platform.ts';

/** The flags of `servery processor`. */
export interface ProcessorFlags {
  readonly host: string;
  readonly port?: string;
  readonly ledger?: string;
}

/**
 * `servery processor`: runs the simulator of the sandbox as a process of its own until the signal
 * ends it. Its address is the line `processor ready …`. Throws ConfigError for a port that is none.
 */
export async function runProcessor(
  { host, port, ledger }: ProcessorFlags,
  env: Readonly<Record<string, string | undefined>>,
  { terminal, signal }: CommandContext,
): Promise<void> {
  const dataDir = env[settings.dataDir.env] || nearestDataDir();
  const ledgerFile = ledger ?? simulatorLedgerFile(resolve(dataDir));
  const running = await runSimulator({ host, port: readPort(port), ledgerFile });
  terminal.err.write(`servery: the ledger is ${resolve(ledgerFile)}\n`);
  terminal.out.write(`processor ready ${running.url}\n`);
  await Promise.race([aborted(signal), running.failed]);
  await running.stop();
}

function readPort(text: string | undefined): number | null {
  if (text === undefined) return null;
  try {
    return settings.port.parse(text);
  } catch (error) {
    throw new ConfigError([`--port ${(error as Error).message} (it is "${text}").`]);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((end) => {
    if (signal.aborted) end();
    else signal.addEventListener('abort', () => end(), { once: true });
  });
}
