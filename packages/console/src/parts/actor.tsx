import { signal } from '@preact/signals';
import { common } from '../messages.ts';
import { call, holds, who } from '../platform/session.ts';

export const PERSON = 'person:';
const SYSTEM = 'system:';

const names = signal<ReadonlyMap<string, string>>(new Map());
const asked = new Set<string>();

/** Who did something, by name: a person, a client, or a part of the platform. */
export function Actor({ actor }: { readonly actor: string }) {
  return <span title={actor}>{nameOf(actor)}</span>;
}

function nameOf(actor: string): string {
  if (actor.startsWith(SYSTEM)) return common.platformItself(actor.slice(SYSTEM.length));
  if (actor === PERSON + who.value?.id) return common.you;
  const known = names.value.get(actor);
  if (known !== undefined) return known;
  look(actor);
  return actor.startsWith(PERSON) ? common.aPerson : actor;
}

/** The names of the clients that the person may see, by their ids. */
export function clientNames(): readonly (readonly [id: string, name: string])[] {
  look('');
  return [...names.value].filter(([actor]) => !actor.startsWith(PERSON));
}

let isReading = false;

/** Reads whom the person may see: asking for one who is out of reach would be an error. */
function look(actor: string): void {
  if (asked.has(actor)) return;
  asked.add(actor);
  if (!isReading) read().catch(() => {});
}

async function read(): Promise<void> {
  isReading = true;
  try {
    const [people, clients] = await Promise.all([
      holds('people:read') ? call('backOffice.people.list', { query }) : none,
      holds('clients:read') ? call('backOffice.clients.list', { query }) : none,
    ]);
    names.value = new Map([
      ...people.results.map(({ personGuid, name }) => [PERSON + personGuid, name] as const),
      ...clients.results.map(({ clientId, name }) => [clientId, name] as const),
    ]);
  } finally {
    isReading = false;
  }
}

const query = { pageSize: 200 };
const none = { results: [] };
