import { existsSync } from 'node:fs';
import { sayHello } from '@servery/card-simulator/hello.ts';
import { simulatorLedgerFile } from '@servery/card-simulator/ledger-file.ts';
import type { Secret } from '@servery/support/secret.ts';
import { machineTimer, sleep } from '@servery/support/timer.ts';
import { httpProcessor } from './http.ts';
import { inProcessProcessor } from './in-process.ts';
import { keepProcessor } from './keeper.ts';
import { noProcessor } from './none.ts';
import { inMemoryRefused, type LedgerHolder, ledgerMissing, type OwnLedger } from './own-ledger.ts';
import type { Processor } from './processor.ts';

export type ProcessorConfig =
  | { readonly kind: 'simulator' | 'in-process' | 'none' }
  | { readonly kind: 'http'; readonly url: string; readonly secret: Secret | null };

interface ProcessorSettings {
  readonly processor: ProcessorConfig;
  readonly dataDir: string;
}

interface OpenProcessor extends LedgerHolder {
  readonly processor: Processor;
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

const LEDGER_QUESTIONS = 40;
const LEDGER_PAUSE_MS = 50;

/** Throws an Error when it doesn't start. Never creates a new ledger in place of a missing one. */
async function openProcessor(
  config: ProcessorSettings,
  { onProgress, knownLedger, stopping }: OpenProcessorDeps,
): Promise<OpenProcessor> {
  const { processor, dataDir } = config;
  switch (processor.kind) {
    case 'none':
      return { ...withoutLedger, processor: noProcessor() };
    case 'in-process': {
      const known = await knownLedger;
      if (known !== null) throw inMemoryRefused(known);
      return { ...withoutLedger, processor: inProcessProcessor() };
    }
    case 'http': {
      const { url, secret } = processor;
      const ledger = () => askPatiently(url, secret, onProgress);
      return { ...overHttp(() => url, secret), ledger };
    }
    case 'simulator': {
      const ledgerFile = simulatorLedgerFile(dataDir);
      await refuseNewLedger(ledgerFile, knownLedger);
      const { signal } = stopping;
      const keeping = { ledgerFile, timer: machineTimer, onProgress, stopping: signal };
      const { url, stop } = await keepProcessor(keeping);
      return { ...overHttp(url, null, stop), ledger: () => untilTold(url, ledgerFile) };
    }
  }
}

const withoutLedger = { ledger: async () => null, workWith: () => {}, close: async () => {} };

function overHttp(
  url: () => string | null,
  secret: Secret | null,
  stop?: () => Promise<void>,
): Omit<OpenProcessor, 'ledger'> {
  let ledgerId: string | null = null;
  const processor = httpProcessor({ url, secret, ledger: () => ledgerId });
  return {
    processor,
    workWith: (id) => {
      ledgerId = id;
    },
    close: async () => {
      processor.close();
      await stop?.();
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

/** It was just ready; if it died since, it is back within a second. */
async function untilTold(url: () => string | null, place: string): Promise<OwnLedger> {
  for (let question = 0; question < LEDGER_QUESTIONS; question += 1) {
    const at = url();
    const greeting = at === null ? null : await sayHello(at, null);
    if (greeting?.kind === 'ready' && greeting.ledger !== null)
      return { id: greeting.ledger, place };
    await sleep(LEDGER_PAUSE_MS);
  }
  throw new Error(`The processor simulator does not report which ledger it has: ${place}.`);
}
