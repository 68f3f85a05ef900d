import type { WhoAmI } from '@servery/contract';
import { isGuid, readClient } from '../arguments.ts';
import { PlatformRefusal, type Query, type Remote, readPages, segment } from '../back-office.ts';
import { demoClient } from '../connection.ts';
import { invalidUsage } from '../exit-codes.ts';
import type { Session } from '../session.ts';
import { nearestNames } from './did-you-mean.ts';
import { accountsMeant, clientsCalled, ISSUED_ID, isNameAlone } from './finder.ts';
import { isSame } from './one-of.ts';
import { peopleCalled, peopleMeant } from './people-called.ts';

/**
 * Finds what the filters of a list name. What is neither a name, nor an id in use, is refused: an
 * empty list would look as if nothing had happened. Each throws CommandFailure.
 */
export interface Filters {
  /** The id of an API account: by id, name, or name in demo.json. */
  client(text: string): Promise<string>;
  /** The GUID of a person: by GUID, name or e-mail address. */
  person(text: string): Promise<string>;
  /** Who makes changes, as the platform writes it: either of these, or the platform itself. */
  actor(text: string): Promise<string>;
  /** The id of an operation of the contract, or what a command calls its own changes. */
  operation(text: string): Promise<string>;
}

/** What a filter may name, and how the list is asked for what has it. */
interface Used {
  readonly path: string;
  /** The query parameters of the list, by what they filter. */
  readonly parameters: Partial<Record<keyof Filters, string>>;
}

/** The list of a path, for example `/backoffice/v1/audit`, with the parameters that filter it. */
export function filtersOf({ remote, demo }: Session, { path, parameters }: Used): Filters {
  const isUsed = async (kind: keyof Filters, value: string) => {
    const parameter = parameters[kind];
    if (parameter === undefined) return false;
    const query: Query = { [parameter]: value };
    return (await readPages(remote, path, query, 1)).results.length > 0;
  };
  const idOf = async (kind: keyof Filters, id: string, at: string) =>
    (await isUsed(kind, id)) || (await isThere(remote, at));
  return {
    client: async (text) => {
      if (!isNameAlone(text)) readClient(text);
      const known = demoClient(text, demo) ?? (await oneAccount(remote, text));
      if (known !== null) return known;
      const isId = !isNameAlone(text);
      if (isId && (await idOf('client', text, `clients/${segment(text)}`))) return text;
      const meant = await accountsMeant(remote, demo, text);
      const write = 'its whole name or its clientId';
      throw nobody('API account', text, write, 'servery clients list', meant);
    },
    person: async (text) => {
      const id = bare(text);
      if (!isGuid(id)) return onePerson(remote, text);
      if (await idOf('person', id, `people/${id}`)) return id;
      throw noPerson(text, '');
    },
    actor: async (text) => {
      if (THE_PLATFORM.includes(text)) return text;
      const known = demoClient(text, demo) ?? (await oneActor(remote, text));
      if (known !== null) return known;
      const id = bare(text);
      const isWritten = !isNameAlone(text) && !text.startsWith('person:');
      if (isWritten && (await idOf('actor', text, `clients/${segment(text)}`))) return text;
      if (isGuid(id) && (await idOf('actor', `person:${id}`, `people/${id}`))) {
        return `person:${id}`;
      }
      throw nobody(
        'account, person or part of the platform',
        text,
        `the name of an account or a person, an id, or one of ${THE_PLATFORM.join(', ')}`,
        'servery clients list" or "servery people list',
        (await accountsMeant(remote, demo, text)) ||
          (await peopleMeant(remote, text).catch(noneIfRefused)),
      );
    },
    operation: async (text) => {
      const { operations } = await import('@servery/contract');
      const wanted = text.trim().toLowerCase();
      const own = operations.find(({ id }) => id.toLowerCase() === wanted);
      if (own) return own.id;
      if (await isUsed('operation', text)) return text;
      const ids = operations.map(({ id }) => id);
      const within = ids.filter((id) => wanted !== '' && id.toLowerCase().includes(wanted));
      const near: readonly string[] =
        within.length > 0 ? within.slice(0, SHOWN_AT_MOST) : nearestNames(text, ids);
      throw invalidUsage(
        `--operation ${JSON.stringify(text)} is no operation. ` +
          `${near.length > 0 ? `Did you mean ${near.join(' or ')}?` : 'Write an id, for example stock.update.'} ` +
          'The table of the list shows the latest ones.',
      );
    },
  };
}

const SHOWN_AT_MOST = 8;
/** What changes something without an account: work that fell due, commands, a start. */
const THE_PLATFORM = ['system:clock', 'system:import', 'system:servery', 'system:start'];
const FORBIDDEN = 403;
const NOT_FOUND = 404;

function bare(text: string): string {
  return text.replace(/^person:/i, '').toLowerCase();
}

function nobody(kind: string, text: string, write: string, listed: string, meant: string) {
  return invalidUsage(
    `no ${kind} within reach is called ${JSON.stringify(text)}${meant || '.'} Write ` +
      `${write}, as in the table of "${listed}".`,
  );
}

/** Whether there is one; of an id that has the right form, also where that may not be asked. */
async function isThere(remote: Remote, place: string): Promise<boolean> {
  const [, id = ''] = place.split('/');
  if (!/^[\w.~-]+$/.test(id)) return false;
  try {
    await remote.get(`/backoffice/v1/${place}`);
    return true;
  } catch (error) {
    if (!(error instanceof PlatformRefusal)) throw error;
    if (error.status === FORBIDDEN) return ISSUED_ID.test(id);
    if (error.status === NOT_FOUND || error.status < FORBIDDEN) return false;
    throw error;
  }
}

/** The id of the one account of that name; null for none. */
async function oneAccount(remote: Remote, text: string): Promise<string | null> {
  return onlyOne('API accounts', text, await accountsCalled(remote, text));
}

async function onePerson(remote: Remote, text: string): Promise<string> {
  const found = (await peopleCalled(remote, text)).map(({ personGuid }) => personGuid);
  const person = onlyOne('people', text, found);
  if (person !== null) return person;
  throw noPerson(text, await peopleMeant(remote, text));
}

function noPerson(text: string, meant: string) {
  const write = 'a name, an e-mail address or a GUID';
  return nobody('person', text, write, 'servery people list', meant);
}

async function oneActor(remote: Remote, text: string): Promise<string | null> {
  if (isGuid(bare(text)) || text.startsWith('system:')) return null;
  const people = await orNone(peopleCalled(remote, text));
  const persons = people.map(({ personGuid }) => `person:${personGuid}`);
  const found = [...(await accountsCalled(remote, text)), ...persons];
  return onlyOne('accounts and people', text, found);
}

function onlyOne(several: string, text: string, ids: readonly string[]): string | null {
  if (ids.length <= 1) return ids[0] ?? null;
  throw invalidUsage(
    `several ${several} are called ${JSON.stringify(text)}: write one of ${ids.join(', ')}.`,
  );
}

/** Whoever may list no accounts still has a name. */
async function accountsCalled(remote: Remote, text: string): Promise<readonly string[]> {
  if (ISSUED_ID.test(text)) return [];
  const clients = await clientsCalled(remote, text);
  if (clients.length > 0) return clients;
  const { type, id, name } = await remote.get<WhoAmI>('/backoffice/v1/whoami');
  return type !== 'PERSON' && isSame(name, text) ? [id] : [];
}

function noneIfRefused(error: unknown): string {
  if (error instanceof PlatformRefusal && error.status === FORBIDDEN) return '';
  throw error;
}

async function orNone<Item>(asked: Promise<readonly Item[]>): Promise<readonly Item[]> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof PlatformRefusal && error.status === FORBIDDEN) return [];
    throw error;
  }
}
