import type { Database } from '../../database/database.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { exportAudit } from '../export.ts';

export interface ExportAuditDeps {
  readonly database: Pick<Database, 'sql'>;
}

export const exportAuditHandler =
  ({ database: { sql } }: ExportAuditDeps): HandlerOf<'backOffice.audit.export'> =>
  async ({ query: { after = 0 } }) => ({ stream: exportAudit(sql, after) });
