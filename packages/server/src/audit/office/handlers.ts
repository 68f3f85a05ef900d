import type { HandlersOf } from '../../http/operation.ts';
import { type ExportAuditDeps, exportAuditHandler } from './export.ts';
import { type ListAuditDeps, listAuditHandler } from './list.ts';
import { type VerifyAuditDeps, verifyAuditHandler } from './verify.ts';

/** What the operations on the audit log need. */
export type AuditDeps = ListAuditDeps & ExportAuditDeps & VerifyAuditDeps;

/** The operations of the back office on the audit log. */
export const auditHandlers = (deps: AuditDeps): HandlersOf<'backOffice.audit.'> => ({
  'backOffice.audit.list': listAuditHandler(deps),
  'backOffice.audit.export': exportAuditHandler(deps),
  'backOffice.audit.verify': verifyAuditHandler(deps),
});
