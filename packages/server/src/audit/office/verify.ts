import type { HandlerOf } from '../../http/operation.ts';
import { type AuditDeps, verifyAudit } from '../verify.ts';

export const verifyAuditHandler =
  (deps: AuditDeps): HandlerOf<'backOffice.audit.verify'> =>
  async () => ({ json: await verifyAudit(deps) });
