import { join } from 'node:path';

/** The ledger of the simulator that belongs to a data folder. */
export function simulatorLedgerFile(dataDir: string): string {
  return join(dataDir, 'processor', 'ledger.jsonl');
}
