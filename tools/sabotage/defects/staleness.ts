// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Pieces of code stand here as text.
import type { Defect } from '../defect.ts';

const SOURCE = 'packages/server/src';
const caughtBy = { file: 'tools/staleness.test.ts', name: /no answer is stale, late or mixed/ };

/** Makes a statement of a store remember what it found, by its values, for eight seconds. */
function remembers(name: string, file: string, what: string, why: string): Defect {
  const memory = `${name}Memory`;
  return {
    name: `staleness-${what}`,
    file: `${SOURCE}/${file}`,
    find: `${what === 'stock' ? 'export function' : 'export async function'} ${name}(`,
    replace: `const ${memory} = new Map<string, { at: number; found: Promise<unknown> }>();
export function ${name}(...given: Parameters<typeof ${name}Anew>): ReturnType<typeof ${name}Anew> {
  const key = JSON.stringify(given.slice(1));
  const known = ${memory}.get(key);
  if (known && performance.now() - known.at < 8_000) return known.found as never;
  const found = Promise.resolve(${name}Anew(...given));
  ${memory}.set(key, { at: performance.now(), found });
  return found as never;
}
${what === 'stock' ? 'function' : 'async function'} ${name}Anew(`,
    why,
    caughtBy,
  };
}

/** Defects of what is remembered while several processes change it. */
export const stalenessDefects: readonly Defect[] = [
  remembers(
    'findAccess',
    'partners/store.ts',
    'access',
    'A partner would read on at a restaurant that has disconnected it.',
  ),
  remembers(
    'findClientOfToken',
    'auth/client-store.ts',
    'account',
    'A revoked account would get in, and a scope that was taken away would be held on to.',
  ),
  remembers(
    'findSnapshot',
    'configuration/store.ts',
    'pages',
    'A partner would sell by a menu that is no longer published.',
  ),
  remembers(
    'findTipWithholding',
    'configuration/store.ts',
    'tips',
    'A partner would keep back tips by a rule that is no longer published.',
  ),
  remembers(
    'listStock',
    'stock/store.ts',
    'stock',
    'A partner would sell what the kitchen has just run out of.',
  ),
  remembers(
    'findRestaurant',
    'restaurants/store.ts',
    'document',
    'A partner would be told where a restaurant was, not where it is.',
  ),
  remembers(
    'listConnections',
    'partners/store.ts',
    'connections',
    'A partner would not learn that a restaurant has connected it.',
  ),
  {
    name: 'staleness-walk-over-publication',
    file: `${SOURCE}/configuration/read-page.ts`,
    find: 'if (position && position.publishNumber !== publishNumber) {',
    replace: 'if (position && publishNumber < 0) {',
    why: 'The pages of one walk would be of two menus.',
    caughtBy,
  },
  {
    name: 'staleness-targets-of-another-publication',
    file: `${SOURCE}/configuration/store.ts`,
    find: '  return { publishNumber, objects, targets };',
    replace: `  const kept = ((globalThis as { kept?: Map<string, TargetRow> }).kept ??= new Map());
  for (const target of targets) if (!kept.has(target.guid)) kept.set(target.guid, target);
  const old = targets.map(({ guid }) => kept.get(guid) as TargetRow);
  return { publishNumber, objects, targets: old };`,
    why: 'A service charge would stand beside the tax of another publication.',
    caughtBy,
  },
  {
    name: 'staleness-known-for-ever',
    file: 'packages/server/src/freshness/freshness.ts',
    find: 'if (nowMs - this.#knownAtMs > KNOWN_FOR_MS) return false;',
    replace: 'if (nowMs < this.#knownAtMs) return false;',
    why: 'A process that stood still, or lost its database, would answer as if it knew.',
    caughtBy,
  },
  {
    name: 'staleness-others-unheard',
    file: 'packages/server/src/freshness/freshness.ts',
    find: 'this.changed(differing(this.#revisions, revisions));',
    replace: '',
    why: 'What another process has changed would never be seen.',
    caughtBy,
  },
  {
    name: 'staleness-own-unheard',
    file: 'packages/server/src/database/database.ts',
    find: '    if (touched.size > 0) freshness.committed([...touched], await raised.catch(() => []));',
    replace: '',
    why: 'Whoever has just published would be shown what was published before.',
    caughtBy,
  },
  {
    name: 'staleness-stock-of-archived-items',
    file: `${SOURCE}/stock/routes.ts`,
    find: 'const subjects = [`stock:${guid}`, `configuration:${guid}`] as const;',
    replace: 'const subjects = [`stock:${guid}`] as const;',
    why: 'An item that is no longer published would stay in the list of stock.',
    caughtBy,
  },
  {
    name: 'staleness-access-for-ever',
    file: `${SOURCE}/partners/access.ts`,
    find: '[`restaurant:${restaurantGuid}`],',
    replace: '[],',
    why: 'A connection would live on after its end, and nobody could take it away.',
    caughtBy,
  },
  {
    name: 'staleness-account-for-ever',
    file: `${SOURCE}/auth/inspect-token.ts`,
    find: '[`client:${clientId}`],',
    replace: '[],',
    why: 'A revoked account would get in until its token ends.',
    caughtBy,
  },
  {
    name: 'staleness-any-entity-tag',
    file: `${SOURCE}/http/encode.ts`,
    find: "return tags.some((candidate) => candidate.replace(/^W\\//, '') === tag);",
    replace: 'return tags.length > 0;',
    why: 'A client that asks whether anything is new would be told for ever that nothing is.',
    caughtBy,
  },
];
