import { join } from 'node:path';
import { ledgerFolderOf } from '@servery/card-simulator/ledger-file.ts';
import { PROTOCOL, readLedgers } from '@servery/card-simulator/protocol.ts';
import type { Database } from '../../database/database.ts';
import { httpProcessor, keepAliveAgents } from './http.ts';
import { type InProcessProcessor, inProcessProcessor } from './in-process.ts';
import { claimLedger } from './own-ledger.ts';
import type { Processor } from './processor.ts';
import { orderSimulator, type SimulatorUrl, untilTold } from './simulator-calls.ts';

/** For sandboxes: they always use the simulator, so a copied payment never charges a real card. */
export interface Ledgers {
  /** It is empty, and durable when this resolves. Throws an Error if the id is taken. */
  make(ledgerId: string): Promise<void>;
  /**
   * Of another ledger, or, with null, of the main environment's. If that one has a processor that
   * isn't the simulator, the copy is empty.
   */
  copy(from: string | null, to: string): Promise<void>;
  /** Does nothing if there is none. */
  drop(ledgerId: string): Promise<void>;
  /** Without the main one. */
  list(): Promise<readonly string[]>;
  /**
   * The processor of an environment, whose database is tied to the ledger from then on. Throws an
   * Error if the ledger doesn't exist, or if the payments of the database are in another one.
   */
  open(ledgerId: string, database: Database): Promise<Processor>;
}

/** Throws what the opening of the main processor throws. */
export async function ledgersOf(coming: {
  readonly opening: Promise<{ readonly ledgers: Ledgers }>;
}): Promise<Ledgers> {
  return (await coming.opening).ledgers;
}

export interface SimulatorLedgersDeps {
  /** Starts it if necessary. */
  readonly reach: () => Promise<SimulatorUrl>;
  readonly ledgerFile: string;
  /** Whether the simulator's main ledger is that of the main environment. */
  readonly hasMain: boolean;
}

export interface OpenLedgers extends Ledgers {
  close(): void;
}

export function simulatorLedgers(deps: SimulatorLedgersDeps): OpenLedgers {
  const { reach, ledgerFile, hasMain } = deps;
  const agents = keepAliveAgents();
  const make = async (ledger: string, copyOf: string | null) => {
    const order = { protocol: PROTOCOL, ledger, copyOf };
    await orderSimulator(await reach(), 'POST', '/ledgers', order);
  };
  return {
    make: (ledgerId) => make(ledgerId, null),
    copy: (from, to) => make(to, from ?? (hasMain ? 'main' : null)),
    drop: async (ledgerId) => {
      await orderSimulator(await reach(), 'DELETE', `/ledgers/${ledgerId}`, null);
    },
    list: async () => {
      const answer = await orderSimulator(await reach(), 'GET', '/ledgers', null);
      return readLedgers(answer).ledgers.map(({ ledger }) => ledger);
    },
    open: async (id, database) => {
      const simulator = await reach();
      const url = () => {
        const base = simulator();
        return base === null ? null : `${base}/ledgers/${id}`;
      };
      const place = join(ledgerFolderOf(ledgerFile), `${id}.jsonl`);
      const told = () => untilTold(url, place, id);
      await claimLedger(database, { ledger: told, workWith: () => {} });
      return httpProcessor({ url, secret: null, ledger: () => id, agents });
    },
    close: () => {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

/** They end with the process, like the main one. */
export function inMemoryLedgers(main: InProcessProcessor): Ledgers {
  const ledgers = new Map<string, InProcessProcessor>();
  const find = (id: string): InProcessProcessor => {
    const found = ledgers.get(id);
    if (found) return found;
    throw new Error(
      `The ledger ${id} is missing: with SERVERY_PROCESSOR=in-process, ledgers end with the process.`,
    );
  };
  const put = (id: string, processor: InProcessProcessor) => {
    if (ledgers.has(id)) throw new Error(`There is a ledger ${id} already.`);
    ledgers.set(id, processor);
  };
  return {
    make: async (ledgerId) => put(ledgerId, inProcessProcessor()),
    copy: async (from, to) => put(to, (from === null ? main : find(from)).copy()),
    drop: async (ledgerId) => {
      ledgers.delete(ledgerId);
    },
    list: async () => [...ledgers.keys()],
    open: async (id, database) => {
      const processor = find(id);
      const ledger = async () => ({ id, place: 'The memory of this process' });
      await claimLedger(database, { ledger, workWith: () => {} });
      return processor;
    },
  };
}
