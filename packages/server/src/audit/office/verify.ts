import type { HandlerOf } from '../../http/operation.ts';
import { type VerifyDeps, verifyAudit } from '../verify.ts';

export type VerifyAuditDeps = VerifyDeps;

export const verifyAuditHandler =
  (deps: VerifyAuditDeps): HandlerOf<'backOffice.audit.verify'> =>
  async () => ({ json: await verifyAudit(deps) });
