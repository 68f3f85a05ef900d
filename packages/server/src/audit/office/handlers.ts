import type { HandlersOf } from '../../http/operation.ts';
import type { AuditDeps } from '../verify.ts';
import { exportAuditHandler } from './export.ts';
import { listAuditHandler } from './list.ts';
import { verifyAuditHandler } from './verify.ts';

export const auditHandlers = (deps: AuditDeps): HandlersOf<'backOffice.audit.'> => ({
  'backOffice.audit.list': listAuditHandler(deps),
  'backOffice.audit.export': exportAuditHandler(deps),
  'backOffice.audit.verify': verifyAuditHandler(deps),
});
