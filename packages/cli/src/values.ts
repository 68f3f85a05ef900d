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
import { DEFAULT_LIMIT, GREATEST_LIMIT } from './shown.ts';
import { until } from './when.ts';

type Maybe = string | undefined;

export const restaurantNames: NonNullable<Value['completions']> = async ({ env }) => {
  const { readDemo } = await import('./connection.ts');
  return (await readDemo(env, {}))?.restaurants.map(({ name }) => name) ?? [];
};

export const clientNames: NonNullable<Value['completions']> = async ({ env }) => {
  const { readDemo } = await import('./connection.ts');
  return Object.keys((await readDemo(env, {}))?.clients ?? {});
};

export const profileNames: NonNullable<Value['completions']> = async ({ env }) => {
  const { readProfiles } = await import('./profiles.ts');
  return Object.keys((await readProfiles(env)).profiles);
};

export const sandboxNames: NonNullable<Value['completions']> = async ({ env }) => {
  const { sandboxesKnownTo } = await import('./connection.ts');
  return await sandboxesKnownTo(env);
};

export function text(placeholder: string, help: string): Value<Maybe>;
export function text<Read>(
  placeholder: string,
  help: string,
  read: Reader<Read>,
): Value<Read | undefined>;
export function text(placeholder: string, help: string, read?: Reader<unknown>): Value<never> {
  return { placeholder, help, ...(read && { read }) };
}

export function toggle(help: string): Value<boolean | undefined> {
  return { help };
}

export function repeated(placeholder: string, help: string): Value<readonly string[] | undefined> {
  return { placeholder, help, isRepeated: true };
}

export function required<Type>(own: Value<Type>): Value<NonNullable<Type>> {
  const { type: _, ...rest } = own;
  return { ...rest, isRequired: true };
}

export function argument(help: string, read?: Reader): Value<string> {
  return { help, isRequired: true, ...(read && { read }) };
}

/** The argument that is the GUID of a thing; `listed` is the command that shows them. */
export function guid(field: string, thing: string, listed: string): Value<string> {
  return as(field, argument(`its GUID: see ${listed}`, guidOf(thing, listed)));
}

export function optional(help: string, read?: Reader): Value<Maybe> {
  return { help, ...(read && { read }) };
}

export function several(help: string, isRequired = false): Value<readonly string[]> {
  return { help, isRepeated: true, isRequired };
}

export const requestArgument: Value<string> = {
  ...argument('request ID, as in the response', guidOf('a request', 'servery requests list')),
  field: 'requestId',
};

/** The same value, for a field of another name; null for no field. */
export function as<Type>(field: string | null, own: Value<Type>): Value<Type> {
  return { ...own, field };
}

/** How many items a list shows. */
export const limit: Value<number> = {
  ...{ placeholder: '<count>', help: `how many to show, at most ${GREATEST_LIMIT}` },
  read: countUpTo(GREATEST_LIMIT),
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

/** A value that becomes what `load` gives before anything is sent. */
export function loading<Written, Loaded>(
  load: (written: Written) => Loaded,
  own: Value<Written>,
): Value<Awaited<Loaded>>;
export function loading<Written, Loaded>(
  load: (written: Written) => Loaded,
  own: Value<Written | undefined>,
): Value<Awaited<Loaded> | undefined>;
export function loading(load: (written: never) => unknown, { type: _, ...own }: Value): Value {
  return { ...own, load };
}

/** Text for a field; an empty one removes what is there. */
export function removable(field: string, help: string): Value<Maybe> {
  return naming((written: string) => written || null, field, text('<text>', help));
}

/** A switch that gives a field a value. */
export function switchTo(field: string, value: unknown, help: string): Value<boolean | undefined> {
  return { help, field, find: () => value };
}

export function restaurant<Type extends Maybe>(
  own: Value<Type>,
  field = 'restaurantGuid',
): Value<Type> {
  return { ...naming(findRestaurant, field, own), completions: restaurantNames };
}

/** The restaurant of a command: the one that is named, or the first of the sandbox. */
export function atRestaurant(
  help = 'name or GUID (default: the first in the sandbox)',
  field = 'restaurantGuid',
): Value<string> {
  const own: Value<string> = { placeholder: '<restaurant>', help };
  return { ...restaurant(own, field), otherwise: firstRestaurant };
}

export function group<Type extends Maybe>(own: Value<Type>): Value<Type> {
  return naming(findGroup, 'managementGroupGuid', own);
}

export function partner<Type extends Maybe>(own: Value<Type>): Value<Type> {
  return naming(findPartner, 'partnerGuid', own);
}

export function client<Type extends Maybe>(own: Value<Type>): Value<Type> {
  return { ...naming(findClient, 'clientId', own), completions: clientNames };
}

export const the = {
  restaurant: restaurant(argument('name or GUID')),
  group: group(argument('name or GUID')),
  partner: partner(argument('name or GUID')),
  client: client(argument('client ID, name, or name in demo.json')),
  person: naming(findPerson, 'personGuid', argument('email address, name, or GUID')),
  endpoint: naming(findEndpoint, 'endpointGuid', argument('GUID or part of the address')),
};

export const secretOptions = {
  label: text('<text>', 'label of the secret'),
  expires: until(text('<when>', 'when the secret expires: 90d, or ISO 8601'), 'expiresAt'),
};
