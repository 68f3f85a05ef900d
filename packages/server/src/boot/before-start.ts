import { makeDataDir } from '@servery/support/data-dir.ts';
import type { Config } from '../config/config.ts';
import { requireFreePorts } from '../http/edge/free-port.ts';
import { readOpenFilesLimit, tooFewFiles } from '../http/edge/open-files.ts';
import { readCertificate } from '../http/edge/tls.ts';
import { refuseTwice } from '../sandbox/data-folder.ts';

/**
 * Throws an Error that says what to do if the start would fail; makes the data folder if there is
 * none.
 */
export async function checkBeforeStart(config: Config): Promise<void> {
  if (config.tls && 'certFile' in config.tls) {
    await readCertificate(config.tls.certFile, config.tls.keyFile);
  }
  const openFiles = { files: await readOpenFilesLimit(), databasePool: config.databasePool };
  const tooFew = tooFewFiles(openFiles, config.maxConnections);
  if (tooFew !== null) throw new Error(tooFew);
  if (config.kind === 'sandbox') await refuseTwice(config.dataDir, config);
  await requireFreePorts(config, config.tls);
  if (config.kind === 'sandbox' || config.databaseUrl === null) await makeDataDir(config.dataDir);
}
