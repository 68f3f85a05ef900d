import { basename, dirname, join } from 'node:path';

export function simulatorLedgerFile(dataDir: string): string {
  return join(dataDir, 'processor', 'ledger.jsonl');
}

/** Where a simulator with that main ledger has the others: never the same for two simulators. */
export function ledgerFolderOf(ledgerFile: string): string {
  const name = basename(ledgerFile);
  return join(dirname(ledgerFile), name === 'ledger.jsonl' ? 'ledgers' : `${name}.ledgers`);
}
