import { who } from '../../platform/session.ts';

const CHANGES = 'restaurants.admin:write';

/** Where the person may create and archive restaurants: a role at one restaurant is not enough. */
export function groupsToCreateIn(): 'all' | 'none' | ReadonlySet<string> {
  const grants = (who.value?.grants ?? []).filter(({ scopes }) =>
    scopes.some(({ scope }) => scope === CHANGES),
  );
  if (grants.some(({ place }) => place === 'platform')) return 'all';
  const guids = grants.flatMap(({ place, guid }) => (place === 'group' && guid ? [guid] : []));
  return guids.length === 0 ? 'none' : new Set(guids);
}

export function mayArchive(managementGroupGuid: string): boolean {
  const groups = groupsToCreateIn();
  return groups === 'all' || (groups !== 'none' && groups.has(managementGroupGuid));
}
