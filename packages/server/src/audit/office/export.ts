import type { HandlerOf } from '../../http/operation.ts';
import { exportAudit } from '../export.ts';
import type { AuditDeps } from '../verify.ts';

export const exportAuditHandler =
  ({ database: { sql } }: AuditDeps): HandlerOf<'backOffice.audit.export'> =>
  async ({ query: { after = 0 } }) => ({ stream: exportAudit(sql, after) });
