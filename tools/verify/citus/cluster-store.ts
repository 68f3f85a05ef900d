import type { Sql } from '@servery/postgres/sql.ts';

export async function insertDatabase(sql: Sql): Promise<void> {
  await sql`create database servery`;
}

export async function findAnswer(sql: Sql): Promise<void> {
  await sql`select 1`;
}

export async function insertExtension(sql: Sql): Promise<void> {
  await sql`create extension citus`;
}

export async function insertNodes(
  sql: Sql,
  coordinator: number,
  workers: readonly number[],
): Promise<void> {
  await sql`select citus_set_coordinator_host('127.0.0.1', ${coordinator}::integer)`;
  for (const port of workers) await sql`select citus_add_node('127.0.0.1', ${port}::integer)`;
}
