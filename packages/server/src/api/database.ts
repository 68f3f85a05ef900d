export { findMasterKey, masterKeyFile, openVault } from '../config/secrets.ts';
export {
  readPlatformBeginning,
  requireRestorable,
  restorePlatformBackup,
  writePlatformBackup,
} from '../database/backup.ts';
export { connectDatabase } from '../database/database.ts';
export { distributePlatform } from '../database/distribute.ts';
export {
  examinePlatformMigrations,
  migratePlatform,
} from '../database/migrations.ts';
export { openDatabase, reachDatabase } from '../database/open.ts';
export { openEnvironmentClock } from '../sandbox/clock.ts';
