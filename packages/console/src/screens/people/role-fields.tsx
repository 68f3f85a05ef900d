import { type RoleName, roleNames, roles } from '@servery/contract/roles.ts';
import { signIn, people as texts } from '../../messages.ts';
import { type Option, Select } from '../../parts/field.tsx';
import { holdsEverywhere } from '../../platform/session.ts';
import type { Places, RoleChoice } from './places.ts';

export interface RoleFieldsProps {
  readonly places: Places;
  readonly choice: RoleChoice;
  readonly onChange: (choice: RoleChoice) => void;
}

/** Which role, and where. What the person may not give, the platform refuses in words. */
export function RoleFields({ places, choice, onChange }: RoleFieldsProps) {
  const options = placesOf(choice.role, places);
  const choose = (role: string) => {
    const name = role as RoleName;
    onChange({ role: name, place: placesOf(name, places)[0]?.[0] ?? '' });
  };
  return (
    <>
      <Select
        label={texts.role}
        hint={roles[choice.role].allows}
        value={choice.role}
        onValue={choose}
        options={givableRoles().map((role) => [role, signIn.roles[role]])}
      />
      <Select
        label={texts.place}
        value={choice.place}
        onValue={(place) => onChange({ ...choice, place })}
        options={options}
      />
    </>
  );
}

/** The answer before anybody has chosen. */
export function leastChoice(places: Places): RoleChoice {
  return { role: 'READ_ONLY', place: placesOf('READ_ONLY', places)[0]?.[0] ?? '' };
}

/** Without rights on the whole platform, only roles for a part of it. */
function givableRoles(): readonly RoleName[] {
  if (holdsEverywhere('people:write')) return roleNames;
  return roleNames.filter((role) =>
    roles[role].places.some((place) => place === 'group' || place === 'restaurant'),
  );
}

function placesOf(role: RoleName, { groups, restaurants, partners }: Places) {
  const named = { platform: [], group: groups, restaurant: restaurants, partner: partners };
  // The narrowest first: nobody gets more by an answer that was not changed.
  return roles[role].places.toReversed().flatMap((kind) => {
    if (kind === 'platform') {
      const option: Option = ['platform/', texts.kinds.platform];
      return holdsEverywhere('people:write') ? [option] : [];
    }
    return named[kind].map(({ guid, name }): Option => [`${kind}/${guid}`, name]);
  });
}
