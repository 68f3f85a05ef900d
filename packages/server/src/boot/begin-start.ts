import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { type OpenDatabase, openDatabase } from '../database/open.ts';
import type { GroupContents } from '../group-document/contents.ts';
import { defaultCardKeyAlgorithms, makeCardKeyPair } from '../payments/cards/card-key-algorithm.ts';
import type { ComingProcessor } from '../payments/processors/open.ts';
import { makeSigningKeyPair } from '../tokens/signing-key-pair.ts';
import { checkBeforeStart } from './before-start.ts';

export interface KeyPairs {
  readonly newSigningKeyPair: typeof makeSigningKeyPair;
  readonly newCardKeyPair: typeof makeCardKeyPair;
}

export interface BegunStart {
  readonly contents?: GroupContents | null;
  /** True for a new database, which gets the contents of a profile. */
  readonly isFirst: boolean;
  readonly keyPairs: KeyPairs;
  /** The caller closes it, and the processor. */
  readonly database: Promise<OpenDatabase>;
  readonly processor: ComingProcessor;
  readonly stopping: AbortController;
}

/**
 * Starts the database and makes the first keys while this thread loads the program. Throws what
 * `checkBeforeStart` throws.
 */
export async function beginStart(
  config: Config,
  onProgress: (line: string) => void,
): Promise<BegunStart> {
  await checkBeforeStart(config);
  const isFirst = await makesSandbox(config);
  const begun = Promise.withResolvers<void>();
  const database = openDatabase(config, onProgress, { onBegun: begun.resolve });
  const opened = database.then(
    () => {},
    () => {},
  );
  // Loading has many pauses, in which a remote database can be reached.
  if (config.databaseUrl === null) await Promise.race([begun.promise, opened]);
  const keyPairs = isFirst ? keyPairsAhead() : keyPairsWhenNeeded;
  const { beginProcessor } = await import('../payments/processors/open.ts');
  const stopping = new AbortController();
  const processor = beginProcessor(config, { onProgress, stopping });
  if (isFirst) processor.tellLedger(null);
  return { isFirst, keyPairs, database, processor, stopping };
}

const keyPairsWhenNeeded: KeyPairs = {
  newSigningKeyPair: makeSigningKeyPair,
  newCardKeyPair: makeCardKeyPair,
};

async function makesSandbox({ kind, profile, databaseUrl, dataDir }: Config): Promise<boolean> {
  if (kind !== 'sandbox' || profile === 'none' || databaseUrl !== null) return false;
  return access(join(dataDir, 'postgres', 'data')).then(
    () => false,
    () => true,
  );
}

/** By default, all at once. `inTurn` may begin each when it likes. */
export function keyPairsAhead(
  inTurn: <Pair>(make: () => Promise<Pair>) => Promise<Pair> = (make) => make(),
): KeyPairs {
  const signing = [inTurn(makeSigningKeyPair)];
  const card = new Map(
    defaultCardKeyAlgorithms.map((algorithm) => [
      algorithm,
      [inTurn(() => makeCardKeyPair(algorithm))],
    ]),
  );
  for (const pair of [...signing, ...[...card.values()].flat()]) {
    // The error appears when the pair is needed.
    pair.catch(() => {});
  }
  return {
    newSigningKeyPair: () => signing.pop() ?? makeSigningKeyPair(),
    newCardKeyPair: (algorithm) => card.get(algorithm)?.pop() ?? makeCardKeyPair(algorithm),
  };
}
