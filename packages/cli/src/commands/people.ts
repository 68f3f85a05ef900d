import type { InvitedPerson, Person, PersonRole, RolePlace } from '@servery/contract';
import { type RoleName, roleNames, roles } from '@servery/contract/roles.ts';
import { Help } from 'commander';
import { command, type Family, type PlatformCall } from '../command.ts';
import { editOptions, edits, needsFields } from '../edit.ts';
import { invalidUsage } from '../exit-codes.ts';
import { type NameOf, namesOf } from '../find/names.ts';
import { oneOf } from '../readers.ts';
import { type Columns, type Shown, said } from '../shown.ts';
import {
  argument,
  as,
  group,
  guid,
  limit,
  optional,
  partner,
  required,
  restaurant,
  switchTo,
  text,
  the,
  toggle,
} from '../values.ts';

const flagOf = (role: string) => role.toLowerCase().replaceAll('_', '-');
const byFlag = Object.fromEntries(roleNames.map((role) => [flagOf(role), role]));

const roleOptions = {
  role: required({
    ...text('<role>', 'one of the roles below', oneOf(byFlag)),
    completions: async () => Object.keys(byFlag),
  }),
  group: group(text('<group>', 'management group where it applies: name or GUID')),
  restaurant: restaurant(text('<restaurant>', 'restaurant where it applies: name or GUID')),
  partner: partner(text('<partner>', 'partner for whom it applies: name or GUID')),
};

/** The same in the body of a new person. */
const firstRole = {
  role: as('role.role', roleOptions.role),
  group: as('role.managementGroupGuid', roleOptions.group),
  restaurant: as('role.restaurantGuid', roleOptions.restaurant),
  partner: as('role.partnerGuid', roleOptions.partner),
};

const placeTexts: Readonly<Record<RolePlace, string>> = {
  platform: 'the whole platform',
  group: 'a management group (--group)',
  restaurant: 'a restaurant (--restaurant)',
  partner: 'a partner (--partner)',
};

function rolesText(width: number): string {
  const help = new Help();
  const lines = roleNames.map((role) => {
    const { allows, places } = roles[role];
    const words = help.boxWrap(`${allows} Applies to ${whereText(places)}.`, width - 4);
    return `  ${flagOf(role)}\n${words.replaceAll(/^/gm, '    ')}`;
  });
  return ['Roles:', ...lines].join('\n');
}

function whereText(places: readonly RolePlace[]): string {
  return places.map((place) => placeTexts[place]).join(' or ');
}

type Listed = Person & { readonly held?: string };

const columns: Columns<Person> = {
  person: 'personGuid',
  name: 'name',
  email: 'email',
  roles: ({ held }: Listed) => held,
  app: ({ hasTotp }) => (hasTotp ? 'yes' : ''),
  'invited until': 'invitedUntil',
  deactivated: 'deactivatedAt',
};

const GIVE =
  'servery people roles give read.only@demo.example --role restaurant-administrator ' +
  '--restaurant Nachtschwalbe';

export const people: Family = {
  name: 'people',
  summary: 'Invite people to the back office, and give or remove roles',
  parts: { roles: 'Give roles to a person, or remove them' },
  examples: ['servery people add ada@example.com --name Ada --role operator', GIVE],
  commands: [
    command({
      name: 'list',
      summary: 'List people by name',
      examples: ['servery people list'],
      isDefault: true,
      options: {
        deactivated: switchTo('active', false, 'only people who can no longer log in'),
        limit,
      },
      operation: 'backOffice.people.list',
      pages: { columns, empty: 'No person matches.', rows: withRoles },
    }),
    command({
      name: 'show',
      summary: 'Show a person and their roles',
      examples: ['servery people show read.only@demo.example'],
      arguments: { person: the.person },
      operation: 'backOffice.people.get',
    }),
    command({
      name: 'add',
      summary: 'Add a person with a first role, and show the link to give to them',
      examples: ['servery people add ada@example.com --name Ada --role operator'],
      details: rolesText,
      arguments: { email: argument('email address to log in with') },
      options: {
        name: required(text('<name>', 'name of the person')),
        ...firstRole,
        existingAccount: toggle('the person confirmed that the existing account is theirs'),
      },
      check: checkPlace,
      operation: 'backOffice.people.create',
      show: invitedShown,
    }),
    command({
      name: 'edit',
      summary: 'Change the name or the email address of a person',
      examples: ['servery people edit read.only@demo.example --set name="Lars Cook"'],
      arguments: { person: the.person },
      options: {
        name: text('<name>', 'new name'),
        email: text('<address>', 'new email address'),
        ...editOptions,
      },
      check: needsFields('UpdatePerson'),
      operation: 'backOffice.people.update',
      run: edits('backOffice.people.get'),
    }),
    command({
      name: 'invite',
      summary: 'Create a new link to choose a password with',
      examples: ['servery people invite read.only@demo.example'],
      arguments: { person: the.person },
      operation: 'backOffice.people.invite',
      show: invitedShown,
    }),
    command({
      name: 'link',
      summary: 'Create a link for the first operator or a lost password, directly in the database',
      examples: ['servery people link ada@example.com'],
      on: 'nothing',
      arguments: { email: optional('email address (default: the first operator)') },
      options: {
        removeTotp: toggle('also remove the authenticator app, for a lost phone'),
        databaseUrl: text('<url>', 'a PostgreSQL to use (DATABASE_URL)'),
      },
      run: async (call) => {
        const { linkOnMachine } = await import('./people-link.ts');
        return linkOnMachine(call, call.args.email, call.options.removeTotp);
      },
    }),
    command({
      name: 'deactivate',
      summary: 'Block a person from logging in, and end their sessions',
      examples: ['servery people deactivate read.only@demo.example'],
      arguments: { person: the.person },
      operation: 'backOffice.people.deactivate',
      show: (moved) => said(moved, `${nameAndAddress(moved)} can no longer log in.`),
    }),
    command({
      name: 'reactivate',
      summary: 'Let a person log in again',
      examples: ['servery people reactivate read.only@demo.example'],
      arguments: { person: the.person },
      operation: 'backOffice.people.reactivate',
      show: (moved) => said(moved, `${nameAndAddress(moved)} can log in again.`),
    }),
    command({
      name: 'remove-totp',
      summary: 'Remove the authenticator app of a person who lost their phone',
      examples: ['servery people remove-totp read.only@demo.example'],
      arguments: { person: the.person },
      operation: 'backOffice.people.removeTotp',
      show: (moved) =>
        said(
          moved,
          `${nameAndAddress(moved)} logs in without an authenticator app until a new one is set up.`,
        ),
    }),
    command({
      name: 'roles give',
      summary: 'Give a person a role for the whole platform or one place',
      examples: [GIVE],
      details: rolesText,
      arguments: { person: the.person },
      options: roleOptions,
      check: checkPlace,
      operation: 'backOffice.people.roles.give',
      show: rolesShown,
    }),
    command({
      name: 'roles take',
      summary: 'Remove a role from a person at once',
      examples: ['servery people roles take read.only@demo.example 0192…'],
      arguments: {
        person: the.person,
        role: guid('roleGuid', 'a role of a person', 'servery people show'),
      },
      operation: 'backOffice.people.roles.take',
      show: rolesShown,
    }),
  ],
};

interface Place {
  readonly role: string;
  readonly group: string | undefined;
  readonly restaurant: string | undefined;
  readonly partner: string | undefined;
}

function checkPlace({ options }: { readonly options: Place }): void {
  const named = (['group', 'restaurant', 'partner'] as const).filter(
    (place) => options[place] !== undefined,
  );
  if (named.length > 1) {
    throw invalidUsage(`a role applies to one place. Use one of --${named.join(', --')}.`);
  }
  const [place = 'platform'] = named;
  const { places } = roles[options.role as RoleName];
  if (places.includes(place)) return;
  const told = place === 'platform' ? '. Add the option.' : `, not to ${placeTexts[place]}.`;
  throw invalidUsage(`${flagOf(options.role)} applies to ${whereText(places)}${told}`);
}

function nameAndAddress({ name, email }: Person): string {
  return `${name} (${email})`;
}

function invitedShown(invited: InvitedPerson): Shown {
  const { person, invitation } = invited;
  if (!invitation) return said(invited, existedText(person));
  return said(
    invited,
    `Added ${nameAndAddress(person)}. Hand this link over. It is shown only once and works until ` +
      `${invitation.expiresAt}:\n  ${invitation.url}`,
  );
}

/** An address proves nothing: the person who created the account chose its password. */
function existedText(person: Person): string {
  const { email, name, createdAt, passwordChangedAt, roles: held } = person;
  const password = passwordChangedAt
    ? `Its password was chosen on ${passwordChangedAt}, not with a link of yours. The person who ` +
      'knows it has the role now.'
    : 'It has no password yet, and its old links no longer work. An operator can create a new one.';
  const newest = held.at(-1)?.roleGuid ?? '<role>';
  return (
    `WARNING: an account with the address ${email} already existed, and you had no access to it. ` +
    `It was created on ${createdAt} (${name}).\n` +
    `  It has the role now. No link was created. ${password}\n` +
    '  Ask the person, in a way that you trust, whether the account is theirs. If it is not:\n' +
    `  servery people roles take ${email} ${newest}`
  );
}

type Asking = Pick<PlatformCall, 'client' | 'flags'>;

async function withRoles(persons: readonly Person[], call: Asking): Promise<readonly Listed[]> {
  const nameOf = await namesOfPlaces(call, persons);
  const held = (person: Person) => person.roles.map((role) => heldText(role, nameOf)).join(', ');
  return persons.map((person) => ({ ...person, held: held(person) }));
}

async function rolesShown(own: Person, call: Asking): Promise<Shown> {
  const nameOf = await namesOfPlaces(call, [own]);
  const lines = own.roles.map((role) => `\n  ${role.roleGuid}  ${heldText(role, nameOf)}`);
  const held = lines.length === 0 ? ' no role.' : `:${lines.join('')}`;
  return said(own, `${nameAndAddress(own)} has${held}`);
}

function namesOfPlaces(call: Asking, persons: readonly Person[]): Promise<NameOf> {
  const places = persons.flatMap(({ roles: held }) => held.map(placeOf));
  return namesOf(call, places, ['group', 'restaurant', 'partner']);
}

function placeOf(role: PersonRole): string | null {
  return role.managementGroupGuid ?? role.restaurantGuid ?? role.partnerGuid;
}

function heldText(role: PersonRole, nameOf: NameOf): string {
  const place = placeOf(role);
  return place === null ? role.role : `${role.role} at ${nameOf(place)}`;
}
