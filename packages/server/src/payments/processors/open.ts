import { existsSync } from 'node:fs';
import { sayHello } from '@servery/card-simulator/hello.ts';
import { simulatorLedgerFile } from '@servery/card-simulator/ledger-file.ts';
import type { Secret } from '@servery/support/secret.ts';
import { machineTimer } from '@servery/support/timer.ts';
import { httpProcessor } from './http.ts';
import { inProcessProcessor } from './in-process.ts';
import { type KeeperOptions, keepProcessor, type ProcessorKeeper } from './keeper.ts';
import { inMemoryLedgers, type Ledgers, simulatorLedgers } from './ledgers.ts';
import { noProcessor } from './none.ts';
import { inMemoryRefused, type LedgerHolder, ledgerMissing, type OwnLedger } from './own-ledger.ts';
import type { Processor } from './processor.ts';
import { untilTold } from './simulator-calls.ts';

export type ProcessorConfig =
  | { readonly kind: 'simulator' | 'in-process' | 'none' }
  | { readonly kind: 'http'; readonly url: string; readonly secret: Secret | null };

interface ProcessorSettings {
  readonly processor: ProcessorConfig;
  readonly dataDir: string;
}

interface OpenProcessor extends LedgerHolder {
  readonly processor: Processor;
  readonly ledgers: Ledgers;
  close(): Promise<void>;
}

export interface OpenProcessorDeps {
  readonly onProgress: (line: string) => void;
  /** Known once the database is open; null before the first. */
  readonly knownLedger: Promise<string | null>;
  readonly stopping: { readonly signal: AbortSignal };
}

export interface ComingProcessor {
  readonly opening: Promise<OpenProcessor>;
  readonly tellLedger: (ledgerId: string | null) => void;
  /** Closes an open processor, or cancels its opening. */
  close(): Promise<void>;
}

/** The returned promise rejects with what `openProcessor` throws. */
export function beginProcessor(
  config: ProcessorSettings,
  deps: Omit<OpenProcessorDeps, 'knownLedger'>,
): ComingProcessor {
  const known = Promise.withResolvers<string | null>();
  known.promise.catch(() => {});
  const opening = openProcessor(config, { ...deps, knownLedger: known.promise });
  const opened = opening.catch(() => null);
  return {
    opening,
    tellLedger: known.resolve,
    close: async () => {
      known.reject(new Error('the start has failed'));
      await (await opened)?.close();
    },
  };
}

/** Throws an Error when it doesn't start. Never creates a new ledger in place of a missing one. */
async function openProcessor(
  config: ProcessorSettings,
  { onProgress, knownLedger, stopping }: OpenProcessorDeps,
): Promise<OpenProcessor> {
  const { processor, dataDir } = config;
  const ledgerFile = simulatorLedgerFile(dataDir);
  const { signal } = stopping;
  const keeping = { ledgerFile, timer: machineTimer, onProgress, stopping: signal };
  switch (processor.kind) {
    case 'none':
      return { ...withoutLedger, processor: noProcessor(), ...ledgersAside(keeping) };
    case 'in-process': {
      const known = await knownLedger;
      if (known !== null) throw inMemoryRefused(known);
      const inProcess = inProcessProcessor();
      const ledgers = inMemoryLedgers(inProcess);
      return { ...withoutLedger, processor: inProcess, ledgers, close: async () => {} };
    }
    case 'http': {
      const { url, secret } = processor;
      const ledger = () => askPatiently(url, secret, onProgress);
      const aside = ledgersAside(keeping);
      return { ...overHttp(() => url, secret, aside.close), ledger, ledgers: aside.ledgers };
    }
    case 'simulator': {
      await refuseNewLedger(ledgerFile, knownLedger);
      const { url, stop } = await keepProcessor(keeping);
      const ledgers = simulatorLedgers({ reach: async () => url, ledgerFile, hasMain: true });
      const close = async () => {
        ledgers.close();
        await stop();
      };
      const ledger = () => untilTold(url, ledgerFile);
      return { ...overHttp(url, null, close), ledger, ledgers };
    }
  }
}

/** Starts the simulator with the first sandbox: the main environment has another processor. */
function ledgersAside(keeping: KeeperOptions): Pick<OpenProcessor, 'ledgers' | 'close'> {
  let keeper: Promise<ProcessorKeeper> | null = null;
  const keep = () => {
    keeper ??= keepProcessor(keeping).catch((error: unknown) => {
      keeper = null;
      throw error;
    });
    return keeper;
  };
  const reach = async () => (await keep()).url;
  const ledgers = simulatorLedgers({ reach, ledgerFile: keeping.ledgerFile, hasMain: false });
  const close = async () => {
    ledgers.close();
    await (await keeper?.catch(() => null))?.stop();
  };
  return { ledgers, close };
}

const withoutLedger = { ledger: async () => null, workWith: () => {} };

function overHttp(
  url: () => string | null,
  secret: Secret | null,
  stop: () => Promise<void>,
): Omit<OpenProcessor, 'ledger' | 'ledgers'> {
  let ledgerId: string | null = null;
  const processor = httpProcessor({ url, secret, ledger: () => ledgerId });
  return {
    processor,
    workWith: (id) => {
      ledgerId = id;
    },
    close: async () => {
      processor.close();
      await stop();
    },
  };
}

/** Most starts find the ledger and don't have to wait for the database. */
async function refuseNewLedger(
  ledgerFile: string,
  knownLedger: Promise<string | null>,
): Promise<void> {
  if (existsSync(ledgerFile)) return;
  const known = await knownLedger;
  // Another process of this folder may have created it meanwhile.
  if (known !== null && !existsSync(ledgerFile)) throw ledgerMissing(ledgerFile, known);
}

const SILENCES_MAX = 4;

/** A slow processor still has its ledger. One that breaks the protocol is reported and accepted. */
async function askPatiently(
  url: string,
  secret: Secret | null,
  onProgress: (line: string) => void,
): Promise<OwnLedger | null> {
  const place = `SERVERY_PROCESSOR_URL ${url}`;
  for (let silences = 1; ; silences += 1) {
    const greeting = await sayHello(url, secret);
    if (greeting.kind === 'ready') {
      return greeting.ledger === null ? null : { id: greeting.ledger, place };
    }
    if (greeting.kind === 'silent' && silences < SILENCES_MAX) continue;
    onProgress(`${place} is not ready: ${greeting.explanation}; payments are sent to it anyway`);
    return null;
  }
}
