import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { type OpenDatabase, openDatabase } from '../database/open.ts';
import type { GroupContents } from '../group-document/contents.ts';
import { defaultCardKeyAlgorithms, makeCardKeyPair } from '../payments/cards/card-key-algorithm.ts';
import type { ComingProcessor } from '../payments/processors/open.ts';
import { makeSigningKeyPair } from '../tokens/signing-key-pair.ts';
import { checkBeforeStart } from './before-start.ts';

/** Key pairs that are there when they are needed, or are made then. */
export interface KeyPairs {
  readonly newSigningKeyPair: typeof makeSigningKeyPair;
  readonly newCardKeyPair: typeof makeCardKeyPair;
}

/** What of a start is under way before the server is loaded. */
export interface BegunStart {
  /** Of the profile that a first start fills in, once they are read. */
  readonly contents?: GroupContents | null;
  /** True where there was no database, and the new one gets the contents of a profile. */
  readonly isFirst: boolean;
  readonly keyPairs: KeyPairs;
  /** Whoever goes on with the start closes it, and the processor. */
  readonly database: Promise<OpenDatabase>;
  readonly processor: ComingProcessor;
  /** Aborted when the platform stops. */
  readonly stopping: AbortController;
}

/**
 * Begins what takes other processes and threads long: the database comes up, and a first start's
 * keys are made, while this thread loads the program. Throws what `checkBeforeStart` throws.
 */
export async function beginStart(
  config: Config,
  onProgress: (line: string) => void,
): Promise<BegunStart> {
  await checkBeforeStart(config);
  const isFirst = await makesSandbox(config);
  const begun = Promise.withResolvers<void>();
  const database = openDatabase(config, onProgress, { onBegun: begun.resolve });
  // Whoever waits for it is told; until then nobody is.
  const opened = database.then(
    () => {},
    () => {},
  );
  // A database elsewhere is reached beside the loading, which has many a pause for it.
  if (config.databaseUrl === null) await Promise.race([begun.promise, opened]);
  const keyPairs = isFirst ? keyPairsAhead() : keyPairsWhenNeeded;
  const { beginProcessor } = await import('../payments/processors/open.ts');
  const stopping = new AbortController();
  const processor = beginProcessor(config, { onProgress, stopping });
  // A database that is new knows of no ledger.
  if (isFirst) processor.tellLedger(null);
  return { isFirst, keyPairs, database, processor, stopping };
}

const keyPairsWhenNeeded: KeyPairs = {
  newSigningKeyPair: makeSigningKeyPair,
  newCardKeyPair: makeCardKeyPair,
};

/** True where there is no database yet, and the new one gets demo accounts with their keys. */
async function makesSandbox({ kind, profile, databaseUrl, dataDir }: Config): Promise<boolean> {
  if (kind !== 'sandbox' || profile === 'none' || databaseUrl !== null) return false;
  return access(join(dataDir, 'postgres', 'data')).then(
    () => false,
    () => true,
  );
}

/** Pairs that are being made from now on; each is given out once, and more are made when needed. */
export function keyPairsAhead(): KeyPairs {
  const signing = [makeSigningKeyPair()];
  const card = new Map(
    defaultCardKeyAlgorithms.map((algorithm) => [algorithm, [makeCardKeyPair(algorithm)]]),
  );
  for (const pair of [...signing, ...[...card.values()].flat()]) {
    // One that cannot be made is told when it is needed.
    pair.catch(() => {});
  }
  return {
    newSigningKeyPair: () => signing.pop() ?? makeSigningKeyPair(),
    newCardKeyPair: (algorithm) => card.get(algorithm)?.pop() ?? makeCardKeyPair(algorithm),
  };
}
