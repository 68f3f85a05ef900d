import { makeDataDir } from '@servery/support/data-dir.ts';
import type { Config } from '../config/config.ts';
import { requireFreePorts } from '../http/edge/free-port.ts';
import { readOpenFilesLimit, tooFewFiles } from '../http/edge/open-files.ts';
import { readCertificate } from '../http/edge/tls.ts';
import { refuseTwice } from '../sandbox/data-folder.ts';

/**
 * Throws an Error that says what to do where a start would fail for what is there already, before
 * anything is begun that takes a first start long; makes the data folder where there is none.
 */
export async function checkBeforeStart(config: Config): Promise<void> {
  // A certificate that cannot be read is told before anything is started.
  if (config.tls && 'certFile' in config.tls) {
    await readCertificate(config.tls.certFile, config.tls.keyFile);
  }
  const openFiles = { files: await readOpenFilesLimit(), databasePool: config.databasePool };
  const tooFew = tooFewFiles(openFiles, config.maxConnections);
  if (tooFew !== null) throw new Error(tooFew);
  if (config.kind === 'sandbox') await refuseTwice(config);
  await requireFreePorts(config, config.tls);
  // A folder that cannot be made is told before anything is loaded for it.
  if (config.kind === 'sandbox' || config.databaseUrl === null) await makeDataDir(config.dataDir);
}
