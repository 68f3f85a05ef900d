import type { Secret } from '../../support/secret.ts';
import type { Processor } from '../processor.ts';
import { machineTimer } from './deadline.ts';
import { httpProcessor } from './http.ts';
import { keepProcessor } from './keeper.ts';
import { simulatorLedgerFile } from './ledger-file.ts';
import { noProcessor } from './none.ts';
import { simulatedProcessor } from './simulator.ts';

/** Who authorizes cards. */
export type ProcessorConfig =
  | { readonly kind: 'simulator' | 'in-process' | 'none' }
  | { readonly kind: 'http'; readonly url: string; readonly secret: Secret | null };

/** A processor that can be called. */
export interface OpenProcessor {
  readonly processor: Processor;
  /** Closes its connections and ends what was started for it. */
  close(): Promise<void>;
}

/**
 * Opens the processor of the settings; for the simulator in a process of its own, starts that.
 * Throws an Error when it does not start.
 */
export async function openProcessor(
  config: { readonly processor: ProcessorConfig; readonly dataDir: string },
  onProgress: (line: string) => void,
): Promise<OpenProcessor> {
  const { processor, dataDir } = config;
  switch (processor.kind) {
    case 'none':
      return { processor: noProcessor(), close: async () => {} };
    case 'in-process':
      return { processor: simulatedProcessor(), close: async () => {} };
    case 'http':
      return reach(
        () => processor.url,
        processor.secret,
        async () => {},
      );
    case 'simulator': {
      const ledgerFile = simulatorLedgerFile(dataDir);
      const keeper = await keepProcessor({ ledgerFile, timer: machineTimer, onProgress });
      return reach(
        () => keeper.url(),
        null,
        () => keeper.stop(),
      );
    }
  }
}

function reach(
  url: () => string | null,
  secret: Secret | null,
  stop: () => Promise<void>,
): OpenProcessor {
  const processor = httpProcessor({ url, secret });
  const close = async () => {
    processor.close();
    await stop();
  };
  return { processor, close };
}
