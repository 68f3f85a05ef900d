import { access, mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Timer } from '@servery/support/timer.ts';
import { createSimulator, type Simulator } from './core.ts';
import { errorKind } from './error-kind.ts';
import { FaultRules } from './faults.ts';
import { type JournalFile, reopenJournalFile, syncFolder } from './journal-file.ts';
import { Ledger } from './ledger.ts';
import { copiedLines, DRAFT, writeWaitingLedger } from './ledger-copy.ts';
import { isLedgerId } from './protocol.ts';

/** How long a ledger that nobody uses stays in memory. */
export const REST_AFTER_MS = 60_000;

/** Refused without effect. */
export class LedgerRefusal extends Error {
  readonly reason: 'missing' | 'taken' | 'unusable';

  constructor(reason: LedgerRefusal['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

export interface LedgerFolderOptions {
  readonly folder: string;
  /** What is copied as `main`. */
  readonly mainFile: string;
  readonly timer: Timer;
}

export interface StoredLedger {
  readonly ledger: string;
  readonly isLoaded: boolean;
}

interface Loaded {
  readonly simulator: Simulator;
  readonly journal: JournalFile;
}

/** Faults outlast the time that the ledger is in memory. */
interface Slot {
  readonly faults: FaultRules;
  users: number;
  /** Null while it is not in memory. */
  loading: Promise<Loaded> | null;
  /** Two writers of one file would tear its lines. */
  closed: Promise<void>;
  cancelRest: () => void;
}

const FILE_NAME = /^(.{36})\.jsonl$/;

/**
 * The ledgers beside the main one, a file each. For the process that has the main one, because only
 * one process may write a ledger. One that nobody uses costs its file.
 */
export class LedgerFolder {
  readonly #options: LedgerFolderOptions;
  readonly #slots = new Map<string, Slot>();
  readonly #making = new Map<string, Promise<void>>();

  private constructor(options: LedgerFolderOptions) {
    this.#options = options;
  }

  /** Removes what a crash left half made. */
  static async open(options: LedgerFolderOptions): Promise<LedgerFolder> {
    const { folder } = options;
    const names = await namesIn(folder);
    const drafts = names.filter((name) => name.includes(DRAFT));
    await Promise.all(drafts.map((name) => rm(join(folder, name), { force: true })));
    return new LedgerFolder(options);
  }

  async list(): Promise<StoredLedger[]> {
    const names = await namesIn(this.#options.folder);
    return names
      .map(ledgerIdOf)
      .filter((ledger) => ledger !== null)
      .map((ledger) => ({ ledger, isLoaded: Boolean(this.#slots.get(ledger)?.loading) }));
  }

  /** It is durable when this resolves, and empty without a source. Throws LedgerRefusal. */
  async make(ledgerId: string, source: string | null): Promise<void> {
    const taken = new LedgerRefusal('taken', 'there is such a ledger already');
    if (this.#making.has(ledgerId)) throw taken;
    const making = this.#write(ledgerId, source, taken);
    this.#making.set(ledgerId, making);
    await making.finally(() => this.#making.delete(ledgerId));
  }

  /** False when there is none. A call that is under way ends as if it were still there. */
  async drop(ledgerId: string): Promise<boolean> {
    if (!isLedgerId(ledgerId)) return false;
    await this.#making.get(ledgerId)?.catch(() => {});
    const slot = this.#slots.get(ledgerId);
    this.#slots.delete(ledgerId);
    if (slot?.users === 0) putAway(slot);
    try {
      await rm(this.#fileOf(ledgerId));
      await syncFolder(this.#options.folder);
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw new LedgerRefusal('unusable', `the ledger was not dropped (${errorKind(error)})`);
    }
  }

  /** Loads it if necessary. Throws LedgerRefusal, and what `work` throws. */
  async use<Result>(
    ledgerId: string,
    work: (simulator: Simulator) => Promise<Result>,
  ): Promise<Result> {
    if (!isLedgerId(ledgerId)) throw missing();
    const slot = this.#slots.get(ledgerId) ?? this.#newSlot(ledgerId);
    slot.users += 1;
    slot.cancelRest();
    slot.loading ??= this.#load(ledgerId, slot);
    const { loading } = slot;
    let journal: JournalFile | null = null;
    try {
      const loaded = await loading;
      journal = loaded.journal;
      return await work(loaded.simulator);
    } finally {
      slot.users -= 1;
      if (journal?.hasFailed && slot.loading === loading) putAway(slot);
      if (slot.users === 0) {
        slot.cancelRest();
        slot.cancelRest = this.#options.timer.after(REST_AFTER_MS, () => putAway(slot), false);
      }
    }
  }

  /** Waits until everything is durable. */
  async close(): Promise<void> {
    const slots = [...this.#slots.values()];
    for (const slot of slots) putAway(slot);
    await Promise.all(slots.map(({ closed }) => closed));
  }

  #fileOf(ledgerId: string): string {
    return join(this.#options.folder, `${ledgerId}.jsonl`);
  }

  #newSlot(ledgerId: string): Slot {
    const slot: Slot = {
      ...{ faults: new FaultRules(), users: 0, loading: null },
      ...{ closed: Promise.resolve(), cancelRest: () => {} },
    };
    this.#slots.set(ledgerId, slot);
    return slot;
  }

  async #load(ledgerId: string, slot: Slot): Promise<Loaded> {
    await slot.closed;
    try {
      const journal = await reopenJournalFile(this.#fileOf(ledgerId));
      const ledger = new Ledger();
      for (const entry of journal.entries) ledger.apply(entry);
      if (ledger.id() !== ledgerId) {
        await journal.close();
        throw new Error(`${this.#fileOf(ledgerId)} is another ledger`);
      }
      const { timer } = this.#options;
      return { journal, simulator: createSimulator({ ledger, journal, timer }, slot.faults) };
    } catch (error) {
      slot.loading = null;
      if (!isMissing(error)) throw new LedgerRefusal('unusable', (error as Error).message);
      if (this.#slots.get(ledgerId) === slot) this.#slots.delete(ledgerId);
      throw missing();
    }
  }

  async #write(ledgerId: string, source: string | null, taken: LedgerRefusal): Promise<void> {
    const { folder, mainFile } = this.#options;
    const file = this.#fileOf(ledgerId);
    if (await isThere(file)) throw taken;
    const sourceFile = source === null || source === 'main' ? mainFile : this.#fileOf(source);
    if (source !== null && !(await isThere(sourceFile))) throw missing();
    try {
      if (await mkdir(folder, { recursive: true, mode: 0o700 })) await syncFolder(dirname(folder));
      const lines = copiedLines(source === null ? null : sourceFile, ledgerId);
      const waiting = await writeWaitingLedger(file, lines);
      await waiting.put().finally(() => waiting.forget());
      await syncFolder(folder);
    } catch (error) {
      throw new LedgerRefusal('unusable', `the ledger was not made (${errorKind(error)})`);
    }
  }
}

/** Its next use loads it again, and cuts off what a failed write left half written. */
function putAway(slot: Slot): void {
  slot.cancelRest();
  const { loading } = slot;
  if (!loading) return;
  slot.loading = null;
  slot.closed = loading.then(({ journal }) => journal.close()).catch(() => {});
}

function missing(): LedgerRefusal {
  return new LedgerRefusal('missing', 'there is no such ledger');
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
}

function ledgerIdOf(fileName: string): string | null {
  const ledgerId = FILE_NAME.exec(fileName)?.[1] ?? '';
  return isLedgerId(ledgerId) ? ledgerId : null;
}

async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
