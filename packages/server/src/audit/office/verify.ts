import type { HandlerOf } from '../../http/operation.ts';
import { type VerifyDeps, verifyAudit } from '../verify.ts';

/** What the handler needs. */
export type VerifyAuditDeps = VerifyDeps;

/** Verifies the whole chain. */
export const verifyAuditHandler =
  (deps: VerifyAuditDeps): HandlerOf<'backOffice.audit.verify'> =>
  async () => ({ json: await verifyAudit(deps) });
