import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The data folder of a sandbox with the demo group that a whole run has started, and ended. */
const FILLED_VARIABLE = 'SERVERY_TEST_FILLED';

/**
 * Makes a data folder a copy of the one that the run has filled: making the database and the demo
 * group is most of the work of a first start. A test file that is run alone gets none.
 */
export async function copyFilledSandbox(dataDir: string): Promise<void> {
  const filled = process.env[FILLED_VARIABLE];
  // With its owners: PostgreSQL is another user where root runs the tests.
  if (filled) await promisify(execFile)('cp', ['-a', filled, dataDir]);
}
