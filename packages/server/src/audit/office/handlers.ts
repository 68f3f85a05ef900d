import type { HandlersOf } from '../../http/operation.ts';
import { type ExportAuditDeps, exportAuditHandler } from './export.ts';
import { type ListAuditDeps, listAuditHandler } from './list.ts';
import { type VerifyAuditDeps, verifyAuditHandler } from './verify.ts';

export type AuditDeps = ListAuditDeps & ExportAuditDeps & VerifyAuditDeps;

export const auditHandlers = (deps: AuditDeps): HandlersOf<'backOffice.audit.'> => ({
  'backOffice.audit.list': listAuditHandler(deps),
  'backOffice.audit.export': exportAuditHandler(deps),
  'backOffice.audit.verify': verifyAuditHandler(deps),
});
