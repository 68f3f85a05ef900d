import type { Sql } from '../../../packages/server/src/database/database.ts';

/**
 * The GUID of a copy: that of the pattern, with the number of the copy in its last 12 digits. The
 * digits before tell the objects of one restaurant apart, so that references are copied like GUIDs.
 */
export const copied = (sql: Sql, guid: ReturnType<Sql>, number: ReturnType<Sql>) =>
  sql`overlay(${guid}::text placing lpad(to_hex(${number}), 12, '0') from 25)::uuid`;
