import { type RolePlace, roleNames, rolePlaces, roles, scopesOfRole } from '@servery/contract';
import { table } from './table.ts';

/** What docs/guides/manage-people.md shows of the contract, by the name of its place in the page. */
export function peopleParts(): Record<string, string> {
  return { roles: rolesTable() };
}

function rolesTable(): string {
  const rows = roleNames.map((name) => {
    const { places, allows } = roles[name];
    const scopes = scopesOfRole(name, widest(places)).map((scope) => `\`${scope}\``);
    return [`\`${name}\``, places.join(', '), allows, scopes.join(' ')];
  });
  return table(['Role', 'Given for a', 'What it allows', 'Scopes, at its widest'], rows);
}

/** Everything, where a role can be given for everything. */
function widest(places: readonly RolePlace[]): RolePlace {
  return rolePlaces.find((place) => places.includes(place)) ?? 'platform';
}
