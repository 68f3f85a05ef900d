import type { Sql } from '../../src/database/database.ts';

/** A document of an entry, as the operation wrote it. */
interface EntryDocument extends Readonly<Record<string, unknown>> {
  /** Of an API account. */
  readonly secrets?: readonly unknown[];
}

/** An entry of the audit log. */
export interface AuditEntryRow {
  readonly actor: string;
  readonly operation: string;
  readonly subjectKind: string;
  readonly subjectId: string;
  readonly managementGroupGuid: string | null;
  readonly restaurantGuid: string | null;
  readonly partnerGuid: string | null;
  readonly before: EntryDocument | null;
  readonly after: EntryDocument | null;
}

/** Lists the entries, about one thing when it is named, the oldest first. */
export async function listAuditEntries(
  sql: Sql,
  subjectId: string | null = null,
): Promise<AuditEntryRow[]> {
  const rows = await sql<AuditEntryRow[]>`
    select actor, operation, subject_kind as "subjectKind", subject_id as "subjectId",
      management_group_guid as "managementGroupGuid", restaurant_guid as "restaurantGuid",
      partner_guid as "partnerGuid", before, after
    from audit_entry
    where ${subjectId}::text is null or subject_id = ${subjectId} order by guid`;
  return [...rows];
}
