import { Refused } from '@servery/client/back-office';
import type { OperationId } from '@servery/contract';
import { nearestNames } from '@servery/support/nearest-names.ts';
import type { At, Session } from '../command.ts';
import { invalidUsage } from '../exit-codes.ts';
import { clientId, isGuid, quoted } from '../readers.ts';
import { didYouMean } from './did-you-mean.ts';
import {
  accountCalled,
  accountsNamed,
  allOf,
  findPerson,
  ISSUED_ID,
  isNameAlone,
  namedBy,
  noAccount,
  noneIfForbidden,
  noneOf,
  PERSON,
  severalOf,
} from './find.ts';

/** The parts of the platform that change something without an account. */
const THE_PLATFORM = ['system:clock', 'system:import', 'system:servery', 'system:start'];
const SHOWN_AT_MOST = 8;
const FORBIDDEN = 403;
const NOT_FOUND = 404;

/**
 * What the filters of a list may name. Something that is neither there nor in the list is refused:
 * an empty list would look as if nothing had happened. `parameter` is that of the list.
 */
export function filtersOf(list: OperationId) {
  const isUsed = async ({ client, given }: At, parameter: string, value: string) => {
    const params = { restaurantGuid: String(given.restaurant ?? '') };
    const query = { [parameter]: value };
    return (await client.list(list, { params, query }, 1)).results.length > 0;
  };
  const isAccount = async (at: At, parameter: string, clientId: string) => {
    if (isNameAlone(clientId)) return false;
    if (await isUsed(at, parameter, clientId)) return true;
    const isSendable = /^[\w.~-]+$/.test(clientId);
    const asked = () => at.client.call('backOffice.clients.get', { params: { clientId } });
    return isSendable && (await isThere(clientId, asked()));
  };
  const isPerson = async (at: At, parameter: string, value: string, personGuid: string) => {
    if (await isUsed(at, parameter, value)) return true;
    const asked = at.client.call('backOffice.people.get', { params: { personGuid } });
    return await isThere(personGuid, asked);
  };
  return {
    /** An API account: by ID, name, or name in demo.json. */
    client: async (text: string, at: At): Promise<string> => {
      if (!isNameAlone(text)) clientId(text);
      const known = await accountCalled(text, at);
      if (known !== null) return known;
      if (await isAccount(at, 'clientId', text)) return text;
      throw await noAccount(text, at);
    },
    /** A person: by GUID, name or email address. */
    person: async (text: string, at: At): Promise<string> => {
      const id = bare(text);
      if (!isGuid(id)) return await findPerson(text, at);
      if (await isPerson(at, 'personGuid', id, id)) return id;
      throw noneOf(PERSON, text, []);
    },
    /** Who makes changes: an account, a person, or a part of the platform. */
    actor: (parameter: string) => async (text: string, at: At) => {
      if (THE_PLATFORM.includes(text)) return text;
      const id = bare(text);
      const found = isGuid(id) || text.startsWith('system:') ? null : await actorCalled(text, at);
      if (found !== null) return found;
      const person = `person:${id}`;
      if (!text.startsWith('person:') && (await isAccount(at, parameter, text))) return text;
      if (isGuid(id) && (await isPerson(at, parameter, person, id))) return person;
      const names = [
        ...Object.keys(at.demo?.clients ?? {}),
        ...(await accountsNamed(at, undefined)).map(({ name }) => name),
        ...(await people(at)).flatMap(PERSON.names),
      ];
      throw invalidUsage(
        `no account or person that you have access to is ${quoted(text)}` +
          `${didYouMean(text, names) || '.'} Use a name or an ID ("servery clients list", ` +
          `"servery people list"), or one of ${THE_PLATFORM.join(', ')}.`,
      );
    },
    /** An operation of the contract, or what a command calls its own changes. */
    operation: async (text: string, at: At): Promise<string> => {
      const { operations } = await import('@servery/client/back-office');
      const ids = Object.keys(operations);
      const wanted = text.trim().toLowerCase();
      const own = ids.find((id) => id.toLowerCase() === wanted);
      if (own) return own;
      if (await isUsed(at, 'operation', text)) return text;
      const within = ids.filter((id) => wanted !== '' && id.toLowerCase().includes(wanted));
      const near: readonly string[] =
        within.length > 0 ? within.slice(0, SHOWN_AT_MOST) : nearestNames(text, ids);
      const hint =
        near.length > 0 ? `Did you mean ${near.join(' or ')}?` : 'Use, for example, stock.update.';
      throw invalidUsage(`--operation ${quoted(text)} is not an operation. ${hint}`);
    },
  };
}

function bare(text: string): string {
  return text.replace(/^person:/i, '').toLowerCase();
}

async function actorCalled(text: string, at: At): Promise<string | null> {
  const persons = namedBy(PERSON, text, await people(at)).found;
  const account = await accountCalled(text, at);
  const [only] = persons;
  if (persons.length > 1 || (only && account !== null))
    throw severalOf(PERSON, text, persons, true);
  return only ? `person:${only.personGuid}` : account;
}

function people({ client }: Session) {
  return noneIfForbidden(allOf(client, 'backOffice.people.list'));
}

/** Whether there is one; an id of the right form counts where the account may not ask. */
async function isThere(id: string, asked: Promise<unknown>): Promise<boolean> {
  try {
    await asked;
    return true;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.status === FORBIDDEN) return ISSUED_ID.test(id);
    if (error.status === NOT_FOUND || error.status < FORBIDDEN) return false;
    throw error;
  }
}
