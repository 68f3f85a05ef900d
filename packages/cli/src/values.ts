import type { Value } from './command.ts';
import {
  findClient,
  findEndpoint,
  findGroup,
  findPartner,
  findPerson,
  findRestaurant,
  firstRestaurant,
} from './find/find.ts';
import { countUpTo, guidOf, type Reader } from './readers.ts';
import { DEFAULT_LIMIT } from './shown.ts';
import { until } from './when.ts';

/** What an option is where it was left out. */
type Maybe = string | undefined;

/** The restaurants of the sandbox, for a shell. */
export const restaurantNames: NonNullable<Value['completions']> = async ({ env }) => {
  const { readDemo } = await import('./connection.ts');
  return (await readDemo(env, {}))?.restaurants.map(({ name }) => name) ?? [];
};

/** The accounts of the sandbox, for a shell. */
export const clientNames: NonNullable<Value['completions']> = async ({ env }) => {
  const { readDemo } = await import('./connection.ts');
  return Object.keys((await readDemo(env, {}))?.clients ?? {});
};

/** The profiles of the user, for a shell. */
export const profileNames: NonNullable<Value['completions']> = async ({ env }) => {
  const { readProfiles } = await import('./profiles.ts');
  return Object.keys((await readProfiles(env)).profiles);
};

/** An option with a text. */
export function text(placeholder: string, help: string): Value<Maybe>;
export function text<Read>(
  placeholder: string,
  help: string,
  read: Reader<Read>,
): Value<Read | undefined>;
export function text(placeholder: string, help: string, read?: Reader<unknown>): Value<never> {
  return { placeholder, help, ...(read && { read }) };
}

/** An option without a text. */
export function toggle(help: string): Value<boolean | undefined> {
  return { help };
}

/** An option that can be given several times. */
export function repeated(placeholder: string, help: string): Value<readonly string[] | undefined> {
  return { placeholder, help, isRepeated: true };
}

/** The same option, which cannot be left out. */
export function required<Type>(own: Value<Type>): Value<NonNullable<Type>> {
  const { type: _, ...rest } = own;
  return { ...rest, isRequired: true };
}

/** An argument. */
export function argument(help: string, read?: Reader): Value<string> {
  return { help, isRequired: true, ...(read && { read }) };
}

/** The argument that is the GUID of a thing; `listed` is the command that shows them. */
export function guid(field: string, thing: string, listed: string): Value<string> {
  return as(field, argument(`its GUID: see ${listed}`, guidOf(thing, listed)));
}

/** An argument that can be left out. */
export function optional(help: string, read?: Reader): Value<Maybe> {
  return { help, ...(read && { read }) };
}

/** Any number of arguments. */
export function several(help: string, isRequired = false): Value<readonly string[]> {
  return { help, isRepeated: true, isRequired };
}

/** The same value, for a field of another name; null for no field. */
export function as<Type>(field: string | null, own: Value<Type>): Value<Type> {
  return { ...own, field };
}

/** How many items a list shows. Ten pages are within the request budget of a second. */
export const limit: Value<number> = {
  ...{ placeholder: '<count>', help: 'show at most this many', read: countUpTo(2_000) },
  ...{ fallback: DEFAULT_LIMIT, field: null },
};

/** A value that becomes what `find` gives. */
export function naming<Type>(
  find: NonNullable<Value['find']>,
  field: string | null,
  own: Value<Type>,
): Value<Type> {
  return { ...own, field, find };
}

/** Text for a field; an empty one removes what is there. */
export function removable(field: string, help: string): Value<Maybe> {
  return naming((written: string) => written || null, field, text('<text>', help));
}

/** A switch that gives a field a value. */
export function switchTo(field: string, value: unknown, help: string): Value<boolean | undefined> {
  return { help, field, find: () => value };
}

/** A restaurant, as an argument or an option. */
export function restaurant<Type extends Maybe>(
  own: Value<Type>,
  field = 'restaurantGuid',
): Value<Type> {
  return { ...naming(findRestaurant, field, own), completions: restaurantNames };
}

/** The restaurant of a command: the one that is named, or the first of the sandbox. */
export function atRestaurant(
  help = 'name or GUID (default: the first of the sandbox)',
  field = 'restaurantGuid',
): Value<string> {
  const own: Value<string> = { placeholder: '<restaurant>', help };
  return { ...restaurant(own, field), otherwise: firstRestaurant };
}

/** A management group. */
export function group<Type extends Maybe>(own: Value<Type>): Value<Type> {
  return naming(findGroup, 'managementGroupGuid', own);
}

/** A partner. */
export function partner<Type extends Maybe>(own: Value<Type>): Value<Type> {
  return naming(findPartner, 'partnerGuid', own);
}

/** An API account. */
export function client<Type extends Maybe>(own: Value<Type>): Value<Type> {
  return { ...naming(findClient, 'clientId', own), completions: clientNames };
}

/** The arguments that name one thing. */
export const the = {
  restaurant: restaurant(argument('name or GUID')),
  group: group(argument('name or GUID')),
  partner: partner(argument('name or GUID')),
  client: client(argument('client ID, name, or name in demo.json')),
  person: naming(findPerson, 'personGuid', argument('e-mail address, name or GUID')),
  endpoint: naming(findEndpoint, 'endpointGuid', argument('GUID or part of the address')),
};

/** The options of a new secret. Their times are read at the platform's own clock. */
export const secretOptions = {
  label: text('<text>', 'label of the secret'),
  expires: naming(until, 'expiresAt', text('<when>', 'when the secret expires: 90d, or ISO 8601')),
};
