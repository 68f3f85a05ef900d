import { newRandomId } from '@servery/support/ids.ts';
import type { Sql } from '../database/database.ts';
import type { Subject } from '../freshness/freshness.ts';

/**
 * Makes a copied database one of its own. Nothing that its parent let in gets into it: keys, tokens,
 * secrets, passwords and sessions are gone. Nothing that its parent is sending is sent twice.
 */
export async function separateFromParent(sql: Sql, ledgerId: string, now: Date): Promise<void> {
  const touched = sql.touching((rows) => rows.map(({ clientId }): Subject => `client:${clientId}`));
  // Sent at once: a round trip each would take longer than the work.
  await Promise.all([
    keepApart(sql, ledgerId, now),
    sql`update environment set guid = ${newRandomId()}`,
    sql`delete from person_session`,
    sql`delete from person_invitation`,
    sql`delete from person_recovery_code`,
    sql`
      update person set password_hash = null, password_changed_at = null, sealed_totp_secret = null,
        totp_confirmed_at = null, totp_last_step = null`,
    touched`delete from access_grant returning client_id as "clientId"`,
    touched`delete from client_secret returning client_id as "clientId"`,
    touched`delete from card_key returning client_id as "clientId"`,
    sql.touching(['signingKeys:all'])`delete from signing_key`,
    sql.touching(['faults:rules'])`delete from fault_rule`,
    sql`delete from sandbox_snapshot`,
    sql`delete from sandbox_template`,
    sql`delete from sandbox`,
    sql`delete from sandbox_expired`,
    sql`delete from sandbox_database`,
    sql`
      update webhook_delivery
      set state = 'DROPPED', finished_at = ${now}, dropped_by = 'system:sandbox',
        drop_reason = 'It was queued before this sandbox was copied.',
        lease_holder = null, lease_expires_at = null
      where state = 'QUEUED'`,
  ]);
}

/** For snapshots, and what is restored from them: accounts stay as they are. */
export async function keepApart(sql: Sql, ledgerId: string, now: Date): Promise<void> {
  await Promise.all([
    sql`delete from server_process`,
    sql`delete from health_minute`,
    sql`update processor_ledger set ledger_id = ${ledgerId}, claimed_at = ${now}`,
  ]);
}

/** One log serves all databases: the commit that names this one makes all before it durable. */
export async function letCommitsWait(sql: Sql): Promise<void> {
  await sql`set synchronous_commit = off`;
}
