export { verifyAudit } from '../audit/verify.ts';
export { checkSealed } from '../boot/check-sealed.ts';
export {
  findEnvironmentFacts,
  findPastCount,
  findWrongTotals,
  insertTrial,
  listEndingCardKeys,
  listEndingSecrets,
  listLargestTables,
  listLeftScratch,
  listStuckSessions,
} from '../boot/doctor-store.ts';
export { examineConnections } from '../boot/workers/connections.ts';
export { isDistributed } from '../database/distribute.ts';
export {
  findCluster,
  findClusterState,
  listBrokenKeys,
} from '../database/distribute-store.ts';
export { findEnvironmentMark } from '../database/environment.ts';
export { examineReplica, LONGEST_LAG_MS } from '../database/examine-replica.ts';
export { SILENCE_MS } from '../database/processes.ts';
export {
  filesFor,
  readOpenFilesLimit,
  tooFewFiles,
  usualConnections,
} from '../http/edge/open-files.ts';
export { readCertificate } from '../http/edge/tls.ts';
export { findLastServer, findOccupant } from '../sandbox/data-folder.ts';
export { findHasSealed } from '../tokens/sealed-store.ts';
export { listSigningKeys } from '../tokens/signing-key-store.ts';
export { SigningKeys } from '../tokens/signing-keys.ts';
