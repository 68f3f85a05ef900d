import type { HandlerOf } from '../../http/operation.ts';
import { type VerifyDeps, verifyAudit } from '../verify.ts';

export const verifyAuditHandler =
  (deps: VerifyDeps): HandlerOf<'backOffice.audit.verify'> =>
  async () => ({ json: await verifyAudit(deps) });
