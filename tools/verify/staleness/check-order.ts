import type { Database } from '../../../packages/server/src/database/database.ts';
import { COUNTED, guidOf } from './contents.ts';
import type { Fixture } from './fixture.ts';
import { listConnectionChanges, listPublicationNotes, listQuantities } from './state-store.ts';

/**
 * Compares the order of events that answers were judged by with the database's own: publications
 * by their numbers, changes of stock by their versions, changes of connections by theirs. Gives a
 * sentence for each thing whose orders differ.
 */
export async function checkOrder({ sql }: Database, fixture: Fixture): Promise<string[]> {
  const faults: string[] = [];
  const compare = (name: string, ours: readonly unknown[], theirs: readonly unknown[]) => {
    const first = theirs.findIndex((each, index) => each !== ours[index]);
    if (ours.length === theirs.length && first < 0) return;
    const at = first < 0 ? theirs.length : first;
    faults.push(`${name}: the database has ${theirs[at]} where we have ${ours[at]}, number ${at}`);
  };
  for (const { guid, configuration, stock, number } of fixture.places) {
    const labels = configuration.states.map(({ label }) => String(label));
    compare(configuration.name, labels, await listPublicationNotes(sql, guid));
    const item = guidOf({ number }, 'menuItems', COUNTED[0]);
    const contents = stock.states.map(({ content }) => content);
    const distinct = contents.filter((content, index) => content !== contents[index - 1]);
    compare(stock.name, distinct, await listQuantities(sql, guid, item));
  }
  for (const partner of fixture.partners) {
    for (const [restaurantGuid, connection] of partner.connections) {
      const ours = connection.states.map(({ isOn, label }, index, states) => {
        const wasOn = states[index - 1]?.isOn ?? false;
        return `${isOn ? (wasOn ? 'EDITED' : 'CONNECTED') : 'DISCONNECTED'} ${label}`;
      });
      const theirs = await listConnectionChanges(sql, restaurantGuid, partner.guid);
      const told = theirs.map(({ kind, reference }) => `${kind} ${reference}`);
      compare(connection.name, ours, told);
    }
  }
  return faults;
}
