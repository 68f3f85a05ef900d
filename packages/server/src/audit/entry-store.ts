import type { subjectKinds } from '@servery/contract';
import type { Sql } from '../db/database.ts';
import type { Attest } from '../http/operation.ts';
import { newGuid } from '../support/ids.ts';

/** Who changes something, by which request, when; the same for all entries of one change. */
export interface ChangeOrigin {
  /** The id of an account, `person:` and a GUID, or `system:` and a name. */
  readonly by: string;
  /** Null for what no request asked for. */
  readonly requestId: string | null;
  /** The operation of the contract, or the command. */
  readonly operation: string;
  /** By the clock of the environment. */
  readonly at: Date;
  readonly realAt: Date;
  /** Proves that this platform wrote the entry: of the request, or `attestEntries` of a vault. */
  readonly attest: Attest;
}

/** What kind of thing was changed. */
export type SubjectKind = (typeof subjectKinds)[number];

/** One thing that was changed. Neither side may hold a secret, a token or a card number. */
export interface Change {
  readonly subject: { readonly kind: SubjectKind; readonly id: string };
  /** Where it belongs; who reaches there may read the entry. */
  readonly managementGroupGuid?: string | null;
  readonly restaurantGuid?: string | null;
  readonly partnerGuid?: string | null;
  /** Null for what was not there. */
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}

/** Writes a change down; `sql` is the transaction that makes the change. */
export async function insertEntry(sql: Sql, origin: ChangeOrigin, change: Change): Promise<void> {
  const { by, requestId, operation, at, realAt } = origin;
  const { subject, before, after } = change;
  await sql`
    insert into audit_entry (guid, at, real_at, actor, request_id, operation, subject_kind,
      subject_id, management_group_guid, restaurant_guid, partner_guid, before, after)
    values (${newGuid()}, ${at}, ${realAt}, ${by}, ${requestId}, ${operation}, ${subject.kind},
      ${subject.id}, ${change.managementGroupGuid ?? null}, ${change.restaurantGuid ?? null},
      ${change.partnerGuid ?? null}, ${before && JSON.stringify(before)}::text::json,
      ${after && JSON.stringify(after)}::text::json)`;
}
