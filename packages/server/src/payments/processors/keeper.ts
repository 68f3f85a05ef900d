import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { askHolder, EXIT_TAKEN, findLedgerHolder } from '@servery/card-simulator/ledger-lock.ts';
import { compileCacheEnvironment } from '@servery/support/compile-cache.ts';
import type { Holder } from '@servery/support/file-lock.ts';
import { startChild } from '@servery/support/start-child.ts';
import { LATE, sleep, type Timer, within } from '@servery/support/timer.ts';

export interface KeeperOptions {
  readonly ledgerFile: string;
  readonly timer: Timer;
  readonly onProgress: (line: string) => void;
  /** Aborted when the environment stops: then the simulator's end needs no report. */
  readonly stopping?: AbortSignal | undefined;
}

export interface ProcessorKeeper {
  readonly url: () => string | null;
  /** Stops it only if this process started it; otherwise others still use it. */
  readonly stop: () => Promise<void>;
}

const MAIN = fileURLToPath(import.meta.resolve('@servery/card-simulator/main.ts'));
const HEALTH_INTERVAL_MS = 250;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;
const STOP_LIMIT_MS = 10_000;
const MAX_SILENCES = 3;

interface Served {
  readonly url: string;
  readonly gone: Promise<unknown>;
  stop(): Promise<void>;
}

/** Also uses one that another process started. Throws an Error when it doesn't start. */
export async function keepProcessor(options: KeeperOptions): Promise<ProcessorKeeper> {
  const stopping = new AbortController();
  let served: Served | null = await serve(options, stopping.signal);
  const keep = async () => {
    while (!stopping.signal.aborted) {
      await Promise.race([served?.gone, once(stopping.signal, 'abort')]);
      if (stopping.signal.aborted) break;
      served = null;
      served = await serveAgain(options, stopping.signal);
    }
    await served?.stop();
  };
  const kept = keep();
  kept.catch(() => {});
  return {
    url: () => served?.url ?? null,
    stop: async () => {
      stopping.abort();
      await kept;
    },
  };
}

async function serveAgain(options: KeeperOptions, signal: AbortSignal): Promise<Served | null> {
  const { timer, onProgress, stopping } = options;
  // The process that started it ended first; others may still have calls to make.
  if (!stopping?.aborted) {
    onProgress('the processor simulator has ended unexpectedly: starting it again');
  }
  for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs *= 2) {
    try {
      return await serve(options, signal);
    } catch (error) {
      onProgress(`the processor simulator cannot be started: ${String(error)}`);
      await sleep(Math.min(pauseMs, LONGEST_PAUSE_MS), signal, timer).catch(() => {});
    }
  }
  return null;
}

async function serve(options: KeeperOptions, signal: AbortSignal): Promise<Served> {
  for (let silences = 0; ; ) {
    const holder = await findLedgerHolder(options.ledgerFile);
    if (holder?.liveness === 'ready') return adopt(holder, options.timer, signal);
    if (holder?.liveness === 'silent') silences += 1;
    if (silences > MAX_SILENCES) throw new Error(`${holder?.url} does not answer`);
    // A starting simulator is ready soon; a stopping one is soon gone.
    const isFree = holder === null || holder.liveness === 'gone';
    const started = isFree ? await startSimulator(options) : null;
    if (started) return started;
    await sleep(FIRST_PAUSE_MS, signal, options.timer);
  }
}

function adopt(holder: Holder, timer: Timer, signal: AbortSignal): Served {
  const watch = async () => {
    while (!signal.aborted && (await askHolder(holder)) !== 'gone') {
      await sleep(HEALTH_INTERVAL_MS, signal, timer).catch(() => {});
    }
  };
  return { url: holder.url, gone: watch(), stop: async () => {} };
}

/** Null when another process has the ledger. Throws an Error when it doesn't start. */
async function startSimulator({ ledgerFile, timer }: KeeperOptions): Promise<Served | null> {
  const child = await startChild(process.execPath, [MAIN, '127.0.0.1', ledgerFile], {
    // Not this process's environment: it may hold secrets.
    env: compileCacheEnvironment(),
    stdio: ['pipe', 'pipe', 'pipe'],
    // Ctrl-C is for the server, which may still have calls to make.
    detached: true,
  });
  const gone = once(child, 'exit');
  gone.catch(() => {});
  const complaints = text(child.stderr as NodeJS.ReadableStream);
  const url = await readAddress(child);
  if (url !== null) return { url, gone, stop: () => stopChild(child, gone, timer) };
  const [code] = await gone;
  if (code === EXIT_TAKEN) return null;
  throw new Error((await complaints).trim() || `it ended with ${code}`);
}

async function readAddress(child: ChildProcess): Promise<string | null> {
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  for await (const line of lines) {
    const url = /^processor ready (http:\S+)$/.exec(line)?.[1];
    if (url !== undefined) return url;
  }
  return null;
}

/** The ledger is durable line by line, so killing a hung simulator is safe. */
async function stopChild(child: ChildProcess, gone: Promise<unknown>, timer: Timer) {
  child.stdin?.end();
  if ((await within(gone, STOP_LIMIT_MS, timer)) !== LATE) return;
  child.kill('SIGKILL');
  await gone;
}
