import { resolve } from 'node:path';
import { simulatorLedgerFile } from '@servery/card-simulator/ledger-file.ts';
import { runSimulator } from '@servery/card-simulator/run.ts';
import { ConfigError, settings } from '@servery/server';
import type { Context } from '../command.ts';
import { nearestDataDir } from '../data-dir.ts';

type Options = { readonly host: string } & Readonly<Record<'port' | 'ledger', string | undefined>>;

/** Runs the simulator until a signal ends it. Throws ConfigError for a wrong port. */
export async function runProcessor(
  { env, terminal, signal }: Context,
  { host, port, ledger }: Options,
): Promise<null> {
  const dataDir = env[settings.dataDir.env] || nearestDataDir();
  const ledgerFile = ledger ?? simulatorLedgerFile(resolve(dataDir));
  const running = await runSimulator({ host, port: readPort(port), ledgerFile });
  terminal.err.write(`servery: the ledger is ${resolve(ledgerFile)}\n`);
  terminal.out.write(`processor ready ${running.url}\n`);
  await Promise.race([aborted(signal), running.failed]);
  await running.stop();
  return null;
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
