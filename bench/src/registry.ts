import { readdir } from 'node:fs/promises';
import type { Scenario } from './scenario.ts';

const FOLDER = new URL('./scenarios/', import.meta.url);

/** The order of the table; what is not in it comes after, by its name. */
const ORDER = [
  'read-small',
  'read-page',
  'read-cold',
  'menus',
  'read-stock',
  'authorize',
  'authorize-rsa',
  'velocity',
  'orders',
  'stock-update',
  'token',
  'peers',
  'scale',
  'deadlines',
  'start',
  'memory',
  'workers',
  'fleet',
  'idle-fleet',
  'growth',
  'webhooks',
  'request-log',
];

/** All scenarios: each file of `bench/src/scenarios` that exports one as `scenario`. */
export async function loadScenarios(): Promise<Scenario[]> {
  const names = (await readdir(FOLDER)).filter((name) => /(?<!\.test)\.ts$/.test(name));
  const modules = await Promise.all(
    names.map((name) => import(new URL(name, FOLDER).href) as Promise<{ scenario?: Scenario }>),
  );
  const scenarios = modules.flatMap(({ scenario }) => scenario ?? []);
  return scenarios.toSorted((a, b) => rankOf(a) - rankOf(b) || a.name.localeCompare(b.name));
}

function rankOf({ name }: Scenario): number {
  const index = ORDER.indexOf(name);
  return index < 0 ? ORDER.length : index;
}
