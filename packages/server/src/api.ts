export type { ChangeOrigin } from './audit/entry-store.ts';
export type { OpenedKeys } from './boot/check-sealed.ts';
export type { AgedTable, EndingKey, EnvironmentFacts } from './boot/doctor-store.ts';
export type { ListedClient } from './clients/client-store.ts';
export { type Config, ConfigError, readConfig } from './config/config.ts';
export { settings } from './config/settings.ts';
export { unknownVariables } from './config/unknown-variables.ts';
export type { BackupFacts, RestorePlatformDeps } from './database/backup.ts';
export type { Database } from './database/database.ts';
export type { OpenDatabase, TimeLimits } from './database/open.ts';
export type { Write } from './group-document/canonical.ts';
export type { GroupContents } from './group-document/contents.ts';
export { InvalidGroupDocument } from './group-document/faults.ts';
export type { ImportResult } from './group-document/import.ts';
export { INSTANCE_HEADER } from './http/edge/health.ts';
export type { OpenFiles } from './http/edge/open-files.ts';
export { type TestCard, testCards } from './payments/cards/test-cards.ts';
export type { GroupName } from './restaurants/write-store.ts';
export {
  type DemoClientName,
  type DemoFile,
  demoClientNames,
  demoFilePath,
  readDemoSecrets,
} from './sandbox/demo-file.ts';
export { SLOW_AFTER } from './webhooks/delivery/circuit.ts';

/** What takes long to load, in parts: each command loads only what it needs. */
export const load = {
  run: () => import('./boot/run.ts'),
  database: () => import('./api/database.ts'),
  checks: () => import('./api/checks.ts'),
  accounts: () => import('./api/accounts.ts'),
  documents: () => import('./api/documents.ts'),
  cards: () => import('./api/cards.ts'),
  auditExport: () => import('./audit/verify-export.ts'),
};
