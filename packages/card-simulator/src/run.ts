import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { machineTimer, within } from '@servery/support/timer.ts';
import { createSimulator } from './core.ts';
import { createSimulatorServer, type SimulatorDoors } from './http-server.ts';
import { type Journal, openJournalFile } from './journal-file.ts';
import { Ledger } from './ledger.ts';
import { ledgerFolderOf } from './ledger-file.ts';
import { LedgerFolder } from './ledger-folder.ts';
import { findLedgerHolder, takeLedger } from './ledger-lock.ts';

/** For the last answers of a stopping process. */
const FAREWELL_MS = 200;

export interface SimulatorOptions {
  readonly host: string;
  /** 0 picks a free one; null the one of the last run if it is free. */
  readonly port: number | null;
  readonly ledgerFile: string;
}

export interface RunningSimulator {
  /** Without a trailing slash. */
  readonly url: string;
  /** Rejects when the ledger can't be written anymore: the process must end then. */
  readonly failed: Promise<never>;
  /** Sends the last answers, releases the ledger, and then stops listening. */
  stop(): Promise<void>;
}

export class LedgerTaken extends Error {
  readonly url: string;

  constructor(url: string) {
    super(`a processor runs on this ledger already: ${url}`);
    this.name = 'LedgerTaken';
    this.url = url;
  }
}

/**
 * Listens first and then takes and loads the ledger: a run that has the ledger can be reached.
 * Throws LedgerTaken, or an Error that says what to do.
 */
export async function runSimulator(options: SimulatorOptions): Promise<RunningSimulator> {
  const ledgerFile = resolve(options.ledgerFile);
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => {});
  const instance = randomUUID();
  const doors: SimulatorDoors = {
    ...{ simulator: null, status: 'starting', ledgerId: null, others: null, instance },
    onFailure: failure.reject,
  };
  const server = createSimulatorServer(doors);
  const url = await listen(server, options, ledgerFile);
  try {
    const other = await takeLedger(ledgerFile, { url, instance, pid: process.pid });
    if (other) throw new LedgerTaken(other.url);
    const journal = await openJournalFile(ledgerFile);
    const ledger = new Ledger();
    for (const entry of journal.entries) ledger.apply(entry);
    doors.ledgerId = ledger.id() ?? (await nameLedger(ledger, journal));
    const folder = ledgerFolderOf(ledgerFile);
    const others = await LedgerFolder.open({ folder, mainFile: ledgerFile, timer: machineTimer });
    doors.others = others;
    doors.simulator = createSimulator({ ledger, journal, timer: machineTimer });
    doors.status = 'ready';
    return {
      url,
      failed: failure.promise,
      async stop() {
        doors.status = 'stopping';
        await journal.close();
        await others.close();
        await close(server);
      },
    };
  } catch (error) {
    await close(server);
    throw error;
  }
}

async function nameLedger(ledger: Ledger, journal: Journal): Promise<string> {
  const ledgerId = randomUUID();
  const entry = { type: 'begun', ledgerId } as const;
  ledger.apply(entry);
  journal.append(entry);
  await journal.settled();
  return ledgerId;
}

async function listen(
  server: Server,
  { host, port }: SimulatorOptions,
  ledgerFile: string,
): Promise<string> {
  const lastUrl = port === null ? (await findLedgerHolder(ledgerFile))?.url : undefined;
  const lastPort = lastUrl === undefined ? 0 : Number(new URL(lastUrl).port);
  try {
    await listenOn(server, host, port ?? lastPort);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (port !== null || code !== 'EADDRINUSE') {
      throw new Error(`the processor cannot listen on ${host}:${port ?? lastPort}: ${message}`);
    }
    await listenOn(server, host, 0);
  }
  const bound = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${bound.port}`;
}

async function listenOn(server: Server, host: string, port: number): Promise<void> {
  server.listen(port, host);
  // `once` rejects on an error.
  await once(server, 'listening');
}

/** Lets the last answers go out. Calls that get silence would keep the server open forever. */
async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  await within(closed, FAREWELL_MS);
  server.closeAllConnections();
  await closed;
}
