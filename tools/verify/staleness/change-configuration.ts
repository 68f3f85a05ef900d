import type { OfficeAnswer } from './back-office.ts';
import {
  documentAt,
  FLICKER,
  guidOf,
  type MarkedKind,
  markedItems,
  nameAt,
  percentageAt,
} from './contents.ts';
import type { ConfigurationState, Place } from './fixture.ts';
import { type ChangeDeps, keepChanging, makeChange, type Wanted } from './make-change.ts';
import { listPublicationNotes } from './state-store.ts';

/** By restaurant: which publication showed which content. */
type Publications = Map<Place, { readonly number: number; readonly content: number }[]>;

const LONGEST_PAUSE_MS = 300;
const KINDS: readonly MarkedKind[] = [
  'menus',
  'menuGroups',
  'taxRates',
  'serviceCharges',
  'printers',
];

/** Publishes, by drafts or documents, rolls back and publishes together, again and again. */
export function keepPublishing(deps: ChangeDeps, places: readonly Place[]): Promise<void> {
  const publications: Publications = new Map(places.map((place) => [place, []]));
  return keepChanging(deps, LONGEST_PAUSE_MS, async () => {
    const { lots } = deps;
    const place = lots.pick(places);
    const known = publications.get(place) ?? [];
    const way = lots.next();
    if (way < 0.2 && known.length > 1) await rollBack(deps, place, lots.pick(known), known);
    else if (way < 0.5) await apply(deps, place, known);
    else if (way < 0.7 && places.length > 1) await publishTogether(deps, places);
    else await publish(deps, place, known);
  });
}

function wantedOf(
  { database }: ChangeDeps,
  place: Place,
  content: number | null,
  act: Wanted<ConfigurationState>['act'],
): Wanted<ConfigurationState> {
  const label = nextLabel([place]);
  return {
    name: 'publication',
    subject: place.configuration,
    state: { label, content: content ?? nextContent(place) },
    act,
    async isStored() {
      const notes = await listPublicationNotes(database.sql, place.guid);
      return notes.includes(String(label));
    },
  };
}

/** No content is shown by two publications, but for those that go back. */
function nextContent({ configuration }: Place): number {
  return Math.max(...configuration.asked.map(({ content }) => content)) + 1;
}

/** A name for a publication that none of these restaurants has used. */
function nextLabel(places: readonly Place[]): number {
  const used = places.flatMap(({ configuration }) => configuration.asked);
  return Math.max(...used.map(({ label }) => label)) + 1;
}

async function apply(
  deps: ChangeDeps,
  place: Place,
  known: { number: number; content: number }[],
): Promise<void> {
  const wanted = wantedOf(deps, place, null, async (server) => {
    const { state } = wanted;
    const answer = await deps.call(server, 'POST', `${pathOf(place)}/apply`, {
      document: { configuration: documentAt(place, state.content) },
      note: String(state.label),
    });
    return note(answer, state, known, 'publication');
  });
  await makeChange(deps, [wanted]);
}

async function rollBack(
  deps: ChangeDeps,
  place: Place,
  { number, content }: { readonly number: number; readonly content: number },
  known: { number: number; content: number }[],
): Promise<void> {
  // It would be what is published already.
  if (content === place.configuration.latest.content) return;
  const wanted = wantedOf(deps, place, content, async (server) => {
    const path = `${pathOf(place)}/publications/${number}/rollback`;
    const answer = await deps.call(server, 'POST', path, { note: String(wanted.state.label) });
    return note(answer, wanted.state, known, null);
  });
  await makeChange(deps, [wanted]);
}

async function publish(
  deps: ChangeDeps,
  place: Place,
  known: { number: number; content: number }[],
): Promise<void> {
  if (!(await draft(deps, place, nextContent(place)))) return;
  const wanted = wantedOf(deps, place, null, async (server) => {
    const { state } = wanted;
    const path = `${pathOf(place)}/publications`;
    const answer = await deps.call(server, 'POST', path, { note: String(state.label) });
    return note(answer, state, known, null);
  });
  if (!(await makeChange(deps, [wanted]))) await discard(deps, place);
}

/** Several restaurants in one transaction. Their notes must be one text, so the labels are too. */
async function publishTogether(deps: ChangeDeps, places: readonly Place[]): Promise<void> {
  const label = nextLabel(places);
  for (const place of places) {
    if (!(await draft(deps, place, nextContent(place)))) return;
  }
  const act = async (server: number) => {
    const [groupGuid] = deps.fixture.groupGuids;
    const path = `/managementGroups/${groupGuid}/publications`;
    const restaurants = places.map(({ guid }) => ({ restaurantGuid: guid }));
    const answer = await deps.call(server, 'POST', path, { note: String(label), restaurants });
    return isDone(answer);
  };
  const isMade = await makeChange(
    deps,
    places.map((place) => {
      const wanted = wantedOf(deps, place, null, act);
      const isStored = async () => {
        const notes = await listPublicationNotes(deps.database.sql, place.guid);
        return notes.includes(String(label));
      };
      const state = { ...wanted.state, label };
      return { ...wanted, name: 'publication of a group', state, isStored };
    }),
  );
  for (const place of isMade ? [] : places) await discard(deps, place);
}

/** Drafts every marked object; false when somebody did not answer, and nothing is drafted then. */
async function draft(deps: ChangeDeps, place: Place, content: number): Promise<boolean> {
  const { call, lots } = deps;
  const path = pathOf(place);
  const server = () => lots.pick(deps.awake());
  const objects = [
    ...KINDS.map((kind) => ({ kind, index: 1 })),
    ...markedItems(place).map((index) => ({ kind: 'menuItems' as const, index })),
  ];
  for (const { kind, index } of objects) {
    const object = `${path}/objects/${kind}/${guidOf(place, kind, index)}`;
    const name = nameAt(place, kind, content, index);
    if (!isDone(await call(server(), 'PATCH', object, { name }))) return discard(deps, place);
  }
  const flicker = `${path}/objects/menuItems/${guidOf(place, 'menuItems', FLICKER)}`;
  // What is so already is a conflict, and right.
  const verb = content % 2 === 1 ? 'archive' : 'unarchive';
  const turned = await call(server(), 'POST', `${flicker}/${verb}`);
  if (!isDone(turned) && turned?.status !== 409) return discard(deps, place);
  const tips = { enabled: true, percentage: percentageAt(content) };
  if (!isDone(await call(server(), 'PUT', `${path}/tipWithholding`, tips))) {
    return discard(deps, place);
  }
  return true;
}

async function discard({ call, lots, awake, tally }: ChangeDeps, place: Place): Promise<false> {
  tally.count('drafts discarded');
  await call(lots.pick(awake()), 'POST', `${pathOf(place)}/draft/discard`, { all: true });
  return false;
}

function note(
  answer: OfficeAnswer | null,
  { content }: ConfigurationState,
  known: { number: number; content: number }[],
  part: 'publication' | null,
): boolean {
  if (!answer || !isDone(answer)) return false;
  const body = answer.body as Record<string, { number: number }> & { number: number };
  const number = part === null ? body.number : body[part]?.number;
  if (number !== undefined) known.push({ number, content });
  return true;
}

function isDone(answer: OfficeAnswer | null): boolean {
  return answer !== null && answer.status < 300;
}

function pathOf({ guid }: Place): string {
  return `/restaurants/${guid}/configuration`;
}
