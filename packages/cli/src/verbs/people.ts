import type { GiveRole, InvitedPerson, Person, PersonRole, RolePlace } from '@servery/contract';
import { type RoleName, roleNames, roles } from '@servery/contract/roles.ts';
import { Help } from 'commander';
import { isGuid, readGuidOf } from '../arguments.ts';
import { readPages } from '../back-office.ts';
import type { LinkFlags } from '../commands/people-link.ts';
import { invalidUsage } from '../exit-codes.ts';
import type { Column } from '../table.ts';
import { type EditFlags, edited, editFlags, editOf, knownFields } from './edit.ts';
import { type NameOf, namesOf } from './names.ts';
import { peopleCalled, peopleMeant } from './people-called.ts';
import { fields, rows, type Shown, said } from './shown.ts';
import { type Call, type Family, flag, limitFlag, needed, type Verb, verb } from './verb.ts';

const PATH = '/backoffice/v1/people';
const person = { name: '<person>', says: 'an e-mail address, a name or a GUID' };

interface RoleFlags {
  readonly role: string;
  readonly group?: string;
  readonly restaurant?: string;
  readonly partner?: string;
}

const roleFlags = [
  needed('--role <role>', 'one of the roles below', readRole),
  flag('--group <group>', 'in this management group: its name or GUID'),
  flag('--restaurant <restaurant>', 'at this restaurant'),
  flag('--partner <partner>', 'for this partner'),
];

const placeTexts: Readonly<Record<RolePlace, string>> = {
  platform: 'the whole platform',
  group: 'a management group (--group)',
  restaurant: 'a restaurant (--restaurant)',
  partner: 'a partner (--partner)',
};

/** Every role with what it allows and where it can be given, for a help page. */
function rolesText(width: number): string {
  const indent = '    ';
  const help = new Help();
  const lines = roleNames.map((role) => {
    const { allows, places } = roles[role];
    const text = help.boxWrap(`${allows} Applies to ${whereText(places)}.`, width - indent.length);
    return `  ${roleText(role)}\n${text.replaceAll(/^/gm, indent)}`;
  });
  return ['Roles:', ...lines].join('\n');
}

function whereText(places: readonly RolePlace[]): string {
  return places.map((place) => placeTexts[place]).join(' or ');
}

function roleText(role: RoleName): string {
  return role.toLowerCase().replaceAll('_', '-');
}

const columns: readonly Column<Person & { readonly says: string }>[] = [
  { title: 'person', cell: ({ personGuid }) => personGuid },
  { title: 'name', cell: ({ name }) => name, breaks: true },
  { title: 'e-mail', cell: ({ email }) => email },
  { title: 'roles', cell: ({ says }) => says, breaks: true },
  { title: 'app', cell: ({ hasTotp }) => (hasTotp ? 'yes' : '') },
  { title: 'invited until', cell: ({ invitedUntil }) => invitedUntil ?? '' },
  { title: 'deactivated', cell: ({ deactivatedAt }) => deactivatedAt ?? '' },
];

function move(name: string, says: string, done: string, path = name): Verb {
  return verb<object>({
    name,
    says,
    example: `servery people ${name} read.only@demo.example`,
    words: [person],
    run: async (call) => {
      const moved = await call.remote.post<Person>(`${await pathOf(call)}/${path}`);
      return said(moved, `${moved.name} (${moved.email}) ${done}.`);
    },
  });
}

const GIVEN =
  'servery people roles give read.only@demo.example --role restaurant-administrator ' +
  '--restaurant Nachtschwalbe';

/** `servery people`. */
export const people: Family = {
  name: 'people',
  says: 'invite people to the back office, and give and take roles',
  parts: { roles: 'give and take roles of a person' },
  examples: ['servery people add ada@example.com --name Ada --role operator', GIVEN],
  verbs: [
    verb<{ readonly deactivated?: boolean; readonly limit: number }>({
      name: 'list',
      says: 'the people within reach, by name',
      example: 'servery people list',
      isDefault: true,
      flags: [flag('--deactivated', 'those who cannot log in any more'), limitFlag()],
      run: async (call) => {
        const { deactivated, limit } = call.flags;
        const query = { active: deactivated ? 'false' : undefined };
        const page = await readPages<Person>(call.remote, PATH, query, limit);
        const nameOf = await namesOfPlaces(call, page.results);
        const results = page.results.map((one) => ({
          ...one,
          says: one.roles.map((role) => heldText(role, nameOf)).join(', '),
        }));
        const listed = { results, hasMore: page.hasMore };
        const shown = rows(columns, listed, 'There is no such person within reach.');
        return { ...shown, json: page.results };
      },
    }),
    verb<object>({
      name: 'show',
      says: 'one person, with every role',
      example: 'servery people show read.only@demo.example',
      words: [person],
      run: async (call) => fields(await call.remote.get(await pathOf(call))),
    }),
    verb<RoleFlags & { readonly name: string; readonly existingAccount?: boolean }>({
      name: 'add',
      says: 'add a person with a first role, and show the link to hand over',
      example: 'servery people add ada@example.com --name Ada --role operator',
      details: rolesText,
      words: [{ name: '<email>', says: 'what the person logs in with' }],
      flags: [
        needed('--name <name>', 'what the person is called'),
        ...roleFlags,
        flag('--existing-account', 'you asked: the account that is there already is theirs'),
      ],
      run: async (call) => {
        const [email = ''] = call.words;
        const { name, existingAccount } = call.flags;
        const body = { email, name, role: await roleOf(call), existingAccount };
        return invitedShown(await call.remote.post<InvitedPerson>(PATH, body));
      },
    }),
    verb<EditFlags & { readonly name?: string; readonly email?: string }>({
      name: 'edit',
      says: 'change the name or the e-mail address of a person',
      example: 'servery people edit read.only@demo.example --set name="Lars Cook"',
      words: [person],
      flags: [
        flag('--name <name>', 'what the person is called'),
        flag('--email <address>', 'what the person logs in with'),
        ...editFlags,
      ],
      run: async (call) => {
        const { name, email } = call.flags;
        const patch = await knownFields('UpdatePerson', await editOf(call.flags, { name, email }));
        return edited(call.remote, await pathOf(call), patch);
      },
    }),
    verb<object>({
      name: 'invite',
      says: 'make a new link with which a person chooses a password',
      example: 'servery people invite read.only@demo.example',
      words: [person],
      run: async (call) =>
        invitedShown(await call.remote.post<InvitedPerson>(`${await pathOf(call)}/invite`)),
    }),
    verb<LinkFlags>({
      name: 'link',
      says: 'on the database itself: a link for the first operator, or a lost password',
      example: 'servery people link ada@example.com',
      words: [{ name: '[email]', says: 'whose; without it, that of the first operator' }],
      flags: [
        flag('--remove-totp', 'for a lost telephone: remove the authenticator app too'),
        flag('--database-url <url>', 'a PostgreSQL to use (DATABASE_URL)'),
      ],
      isLocal: () => true,
      local: async (...given) => {
        const { runPeopleLink } = await import('../commands/people-link.ts');
        await runPeopleLink(...given);
      },
      run: async () => null,
    }),
    move('deactivate', 'keep a person from logging in, at once', 'cannot log in any more'),
    move('reactivate', 'let a person log in again', 'can log in again'),
    move(
      'remove-totp',
      'for a lost telephone: remove the authenticator app',
      'logs in without an authenticator app until a new one is confirmed',
      'removeTotp',
    ),
    verb<RoleFlags>({
      name: 'roles give',
      says: 'give a person a role, everywhere or at one place',
      example: GIVEN,
      details: rolesText,
      words: [person],
      flags: roleFlags,
      run: async (call) =>
        rolesShown(call, await call.remote.post(`${await pathOf(call)}/roles`, await roleOf(call))),
    }),
    verb<object>({
      name: 'roles take',
      says: 'take a role of a person, which counts at once',
      example: 'servery people roles take read.only@demo.example 0192…',
      words: [
        person,
        {
          name: '<role>',
          says: 'its GUID: see servery people show',
          read: readGuidOf('role of a person', 'servery people show'),
        },
      ],
      run: async (call) =>
        rolesShown(
          call,
          await call.remote.send('DELETE', `${await pathOf(call)}/roles/${call.words[1]}`),
        ),
    }),
  ],
};

async function pathOf({ remote, words: [text = ''] }: Call<object>): Promise<string> {
  if (isGuid(text)) return `${PATH}/${text.toLowerCase()}`;
  const found = await peopleCalled(remote, text);
  const [only, ...others] = found;
  if (only && others.length === 0) return `${PATH}/${only.personGuid}`;
  const list = found.map((one) => `\n  ${one.personGuid}  ${one.name} ${one.email}`).join('');
  if (only) {
    throw invalidUsage(`several people are called ${JSON.stringify(text)}: write a GUID:${list}`);
  }
  const meant = (await peopleMeant(remote, text)) || '.';
  throw invalidUsage(
    `nobody within reach is ${JSON.stringify(text)}${meant} "servery people list" shows them.`,
  );
}

async function roleOf({ flags, find }: Call<RoleFlags>): Promise<GiveRole> {
  const { group, restaurant, partner } = flags;
  const role = flags.role as RoleName;
  const { places } = roles[role];
  const given = { group, restaurant, partner };
  const named = (['group', 'restaurant', 'partner'] as const).filter(
    (one) => given[one] !== undefined,
  );
  if (named.length > 1) {
    throw invalidUsage(`a role applies to one place: give one of --${named.join(', --')}.`);
  }
  const [place = 'platform'] = named;
  if (!places.includes(place)) {
    const told = place === 'platform' ? 'add the flag' : `not to ${placeTexts[place]}`;
    const mark = place === 'platform' ? ': ' : ', ';
    throw invalidUsage(`${roleText(role)} applies to ${whereText(places)}${mark}${told}.`);
  }
  return {
    role,
    ...(group === undefined ? {} : { managementGroupGuid: await find.group(group) }),
    ...(restaurant === undefined ? {} : { restaurantGuid: await find.restaurant(restaurant) }),
    ...(partner === undefined ? {} : { partnerGuid: await find.partner(partner) }),
  };
}

function readRole(text: string): string {
  const role = text.toUpperCase().replaceAll('-', '_');
  if ((roleNames as readonly string[]).includes(role)) return role;
  const known = roleNames.map(roleText).join(', ');
  throw invalidUsage(`--role ${JSON.stringify(text)} is none: write one of ${known}.`);
}

function invitedShown(invited: InvitedPerson): Shown {
  const { person: own, invitation } = invited;
  if (!invitation) return said(invited, existedText(own));
  const until = `it is shown only here, and opens until ${invitation.expiresAt}`;
  return said(
    invited,
    `${own.name} (${own.email}) is in. Hand this link over; ${until}:\n  ${invitation.url}`,
  );
}

/** Nothing proves an address: whoever made an account first chose what opens it. */
function existedText({ name, email, createdAt, passwordChangedAt, roles }: Person): string {
  const password = passwordChangedAt
    ? `Its password was chosen on ${passwordChangedAt}, not with a link of yours: ` +
      'whoever knows it has the role now.'
    : 'It has no password yet, and links of before open no more: an operator makes a new one.';
  const newest = roles.at(-1)?.roleGuid ?? '<role>';
  return (
    `CAREFUL: an account with the address ${email} was there before, made beyond your reach on ` +
    `${createdAt} (${name}).\n  It has the role now. No link was made. ${password}\n` +
    '  Ask the person, on a way that you trust, whether the account is theirs. If it is not:\n' +
    `  servery people roles take ${email} ${newest}`
  );
}

async function rolesShown(call: Call<object>, own: Person): Promise<Shown> {
  const nameOf = await namesOfPlaces(call, [own]);
  const lines = own.roles.map((role) => `\n  ${role.roleGuid}  ${heldText(role, nameOf)}`);
  const roles = lines.join('');
  return said(own, `${own.name} (${own.email}) has${roles === '' ? ' no role.' : `:${roles}`}`);
}

function namesOfPlaces(call: Call<object>, people: readonly Person[]): Promise<NameOf> {
  const places = people.flatMap(({ roles }) => roles.map(placeOf));
  return namesOf(call, places, ['group', 'restaurant', 'partner']);
}

function placeOf(role: PersonRole): string | null {
  return role.managementGroupGuid ?? role.restaurantGuid ?? role.partnerGuid;
}

function heldText(role: PersonRole, nameOf: NameOf): string {
  const place = placeOf(role);
  return place === null ? role.role : `${role.role} at ${nameOf(place)}`;
}
