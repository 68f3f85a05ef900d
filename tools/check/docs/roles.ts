import {
  backOfficeScopes,
  type RoleName,
  type RolePlace,
  roleNames,
  rolePlaces,
  roles,
  scopesOfRole,
} from '@servery/contract';
import { table } from './table.ts';

/** What docs/guides/manage-people.md shows of the contract, by the name of its place in the page. */
export function peopleParts(): Record<string, string> {
  return { roles: rolesTable() };
}

function rolesTable(): string {
  const rows = roleNames.map((name) => {
    const { places, allows } = roles[name];
    return [`\`${name}\``, places.join(', '), allows, scopesText(name)];
  });
  return table(['Role', 'Given for a', 'What it allows', 'Scopes (at most)'], rows);
}

/** The scopes of a role, or those that it lacks when these are fewer. */
function scopesText(name: RoleName): string {
  const held: readonly string[] = scopesOfRole(name, widest(roles[name].places));
  const lacking = backOfficeScopes.filter((scope) => !held.includes(scope));
  if (lacking.length === 0) return 'all';
  const reading = backOfficeScopes.filter((scope) => scope.endsWith(':read'));
  if (held.length === reading.length && reading.every((scope) => held.includes(scope)))
    return 'all `…:read`';
  const list = (of: readonly string[]) => of.map((scope) => `\`${scope}\``).join(' ');
  return held.length > lacking.length ? `all but ${list(lacking)}` : list(held);
}

/** Everything, where a role can be given for everything. */
function widest(places: readonly RolePlace[]): RolePlace {
  return rolePlaces.find((place) => places.includes(place)) ?? 'platform';
}
