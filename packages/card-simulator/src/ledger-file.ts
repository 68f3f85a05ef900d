import { join } from 'node:path';

export function simulatorLedgerFile(dataDir: string): string {
  return join(dataDir, 'processor', 'ledger.jsonl');
}
