import { access } from 'node:fs/promises';
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

/** Who authorizes cards. */
export type ProcessorConfig =
  | { readonly kind: 'simulator' | 'in-process' | 'none' }
  | { readonly kind: 'http'; readonly url: string; readonly secret: Secret | null };

/** The settings that decide which processor is opened. */
interface ProcessorSettings {
  readonly processor: ProcessorConfig;
  readonly dataDir: string;
}

/** A processor that can be called. */
export interface OpenProcessor extends LedgerHolder {
  readonly processor: Processor;
  /** Closes its connections and ends what was started for it. */
  close(): Promise<void>;
}

/** What opening a processor leans on. */
export interface OpenProcessorDeps {
  readonly onProgress: (line: string) => void;
  /** The ledger that the environment works with, once its database is open; null before any. */
  readonly knownLedger: Promise<string | null>;
  /** Its signal is aborted when the process stops. */
  readonly stopping: { readonly signal: AbortSignal };
}

/** A processor that is being opened. */
export interface ComingProcessor {
  readonly opening: Promise<OpenProcessor>;
  /** Tells the ledger that the environment works with: what `OpenProcessorDeps.knownLedger` is. */
  readonly tellLedger: (ledgerId: string | null) => void;
  /** Closes it once it is open, or ends the opening. */
  close(): Promise<void>;
}

/** Opens a processor beside other work: whoever asks for it is told what `openProcessor` throws. */
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

/** How often a simulator that was just started is asked for its ledger, and the pause between. */
const LEDGER_QUESTIONS = 40;
const LEDGER_PAUSE_MS = 50;

/**
 * Opens the processor of the settings; for the simulator in a process of its own, starts that.
 * Throws an Error that says what to do when it does not start, or when the ledger that the
 * environment works with is not there: a new one is not begun in its place.
 */
export async function openProcessor(
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
      return {
        ...reach(
          () => url,
          secret,
          async () => {},
        ),
        ledger,
      };
    }
    case 'simulator': {
      const ledgerFile = simulatorLedgerFile(dataDir);
      await refuseNewLedger(ledgerFile, knownLedger);
      const { signal } = stopping;
      const keeping = { ledgerFile, timer: machineTimer, onProgress, stopping: signal };
      const keeper = await keepProcessor(keeping);
      const ledger = () => untilTold(() => keeper.url(), ledgerFile);
      return {
        ...reach(
          () => keeper.url(),
          null,
          () => keeper.stop(),
        ),
        ledger,
      };
    }
  }
}

const withoutLedger = { ledger: async () => null, workWith: () => {}, close: async () => {} };

function reach(
  url: () => string | null,
  secret: Secret | null,
  stop: () => Promise<void>,
): Omit<OpenProcessor, 'ledger'> {
  let ledgerId: string | null = null;
  const processor = httpProcessor({ url, secret, ledger: () => ledgerId });
  const workWith = (id: string | null) => {
    ledgerId = id;
  };
  const close = async () => {
    processor.close();
    await stop();
  };
  return { processor, workWith, close };
}

/** Most starts find the ledger, and need not wait for the database to tell of it. */
async function refuseNewLedger(
  ledgerFile: string,
  knownLedger: Promise<string | null>,
): Promise<void> {
  if (await exists(ledgerFile)) return;
  const known = await knownLedger;
  // Another process of this folder may have begun it meanwhile.
  if (known !== null && !(await exists(ledgerFile))) throw ledgerMissing(ledgerFile, known);
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** How often a processor is greeted that says nothing, each time for two seconds at most. */
const SILENCES_MAX = 4;

/**
 * Greets a processor that is not ours. One that is only slow has its ledger all the same; one that
 * does not answer as the protocol says is told of, and taken as it is.
 */
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

/** It was ready a moment ago; should it have died since, it is back within a second. */
async function untilTold(url: () => string | null, place: string): Promise<OwnLedger> {
  for (let question = 0; question < LEDGER_QUESTIONS; question += 1) {
    const at = url();
    const greeting = at === null ? null : await sayHello(at, null);
    if (greeting?.kind === 'ready' && greeting.ledger !== null)
      return { id: greeting.ledger, place };
    await sleep(LEDGER_PAUSE_MS);
  }
  throw new Error(`The processor simulator does not tell which ledger it has: ${place}.`);
}
