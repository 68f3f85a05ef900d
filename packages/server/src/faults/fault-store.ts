import type { FaultPhase, FaultProfile } from '@servery/contract';
import type { Sql } from '../database/database.ts';
import type { Fault } from './fault.ts';

export interface ActiveRule {
  readonly guid: string;
  readonly operation: string | null;
  readonly clientId: string | null;
  readonly restaurantGuid: string | null;
  readonly phase: FaultPhase;
  readonly fault: Fault;
  /** Null for a rule that happens a number of times. */
  readonly rate: number | null;
  readonly seed: number;
}

export interface NewRule extends ActiveRule {
  readonly times: number | null;
  readonly profile: FaultProfile | null;
  readonly createdAt: Date;
  readonly createdBy: string;
}

export interface RuleRow extends NewRule {
  readonly matched: number;
  readonly injected: number;
  readonly lastMatchedAt: Date | null;
}

/** In the order in which they are tried. */
export async function listRules(sql: Sql): Promise<RuleRow[]> {
  return await sql<RuleRow[]>`
    select guid, operation, client_id as "clientId", restaurant_guid as "restaurantGuid", phase,
      fault, times, rate, seed, profile, matched, injected, last_matched_at as "lastMatchedAt",
      created_at as "createdAt", created_by as "createdBy"
    from fault_rule order by created_at, guid`;
}

export async function listActiveRules(sql: Sql): Promise<ActiveRule[]> {
  return await sql<ActiveRule[]>`
    select guid, operation, client_id as "clientId", restaurant_guid as "restaurantGuid", phase,
      fault, rate, seed
    from fault_rule where times is null or injected < times order by created_at, guid`;
}

export async function insertRules(sql: Sql, rules: readonly NewRule[]): Promise<void> {
  await sql.touching(['faults:rules'])`
    insert into fault_rule (guid, operation, client_id, restaurant_guid, phase, fault, times, rate,
      seed, profile, created_at, created_by)
    select guid, operation, "clientId", "restaurantGuid", phase, fault, times, rate, seed, profile,
      "createdAt", "createdBy"
    from json_to_recordset(${sql.json(rules)}) as rule (guid uuid, operation text, "clientId" text,
      "restaurantGuid" uuid, phase text, fault json, times integer, rate float8, seed integer,
      profile text, "createdAt" timestamptz, "createdBy" text)`;
}

/** Returns the rules that it removed. */
export async function deleteRules(sql: Sql, guid: string | null): Promise<RuleRow[]> {
  return (await sql.touching(['faults:rules'])`
    delete from fault_rule where ${guid}::uuid is null or guid = ${guid}::uuid
    returning guid, operation, client_id as "clientId", restaurant_guid as "restaurantGuid", phase,
      fault, times, rate, seed, profile, matched, injected, last_matched_at as "lastMatchedAt",
      created_at as "createdAt", created_by as "createdBy"`) as unknown as RuleRow[];
}

/** Rules that have ended tell what happened, for a while. */
export async function deleteEndedRules(sql: Sql, before: Date): Promise<void> {
  await sql`delete from fault_rule where injected >= times and last_matched_at < ${before}`;
}

export interface CountedMatch {
  readonly guid: string;
  /** Which match of the rule this is, from 1. */
  readonly number: number;
}

/** Leaves out rules that have ended or were removed. Locks in one order. */
export async function updateMatched(
  sql: Sql,
  guids: readonly string[],
  now: Date,
): Promise<CountedMatch[]> {
  return await sql<CountedMatch[]>`
    with found as (
      select guid from fault_rule
      where guid = any(${guids}::uuid[]) and (times is null or injected < times)
      order by guid for no key update
    )
    update fault_rule set matched = matched + 1, last_matched_at = ${now}
    from found where fault_rule.guid = found.guid
    returning fault_rule.guid, fault_rule.matched as number`;
}

/** False if the rule has ended meanwhile: then nothing goes wrong. */
export async function updateInjected(sql: Sql, guid: string): Promise<boolean> {
  const result = await sql`
    update fault_rule set injected = injected + 1
    where guid = ${guid} and (times is null or injected < times)`;
  return result.count === 1;
}

export interface FaultedPayment {
  readonly merchantGuid: string;
  readonly clientId: string;
}

export async function findFaultedPayment(
  sql: Sql,
  paymentId: string,
): Promise<FaultedPayment | null> {
  const [row] = await sql<FaultedPayment[]>`
    select merchant_guid as "merchantGuid", client_id as "clientId"
    from payment where payment_id = ${paymentId}`;
  return row ?? null;
}

export async function findClientOfEndpoint(
  sql: Sql,
  partnerGuid: string,
  endpointGuid: string,
): Promise<string | null> {
  const [row] = await sql<{ clientId: string }[]>`
    select client_id as "clientId" from webhook_endpoint
    where partner_guid = ${partnerGuid} and guid = ${endpointGuid}`;
  return row?.clientId ?? null;
}

export async function findIsClient(sql: Sql, clientId: string): Promise<boolean> {
  const rows = await sql`select from api_client where client_id = ${clientId}`;
  return rows.length === 1;
}

export async function findIsRestaurant(sql: Sql, guid: string): Promise<boolean> {
  const rows = await sql`select from restaurant where guid = ${guid}`;
  return rows.length === 1;
}
