import type {
  ConfigurationChange,
  ConfigurationDraft,
  ConfigurationObject,
  ConfigurationPreview,
  DraftedObject,
  GroupPublication,
  Publication,
  SetTipWithholding,
} from '@servery/contract';
import { readPages } from '../back-office.ts';
import { invalidUsage } from '../exit-codes.ts';
import type { Column } from '../table.ts';
import { configurationPath, fileVerbs, valueText } from './config-files.ts';
import {
  collectionPath,
  objectPath,
  placesNamed,
  sameRestaurant,
  TIP_WITHHOLDING,
} from './config-names.ts';
import { type EditFlags, editFlags, editOf, knownFields, patchOf } from './edit.ts';
import { ACTORS, namesOf } from './names.ts';
import { fields, type Listed, rows, type Shown, said } from './shown.ts';
import { type Call, type Family, flag, limitFlag, repeated, type Verb, verb } from './verb.ts';

interface PlaceFlags {
  readonly restaurant?: string;
}

interface PublishFlags extends PlaceFlags {
  readonly note?: string;
  readonly expect?: string;
  readonly object?: readonly string[];
}

const restaurant = flag('--restaurant <restaurant>', 'name or GUID; the first of the sandbox');
const note = flag('--note <text>', 'what it is about, for the history');
const collection = { name: '<collection>', says: 'such as menuItems' };
const object = { name: '<object>', says: 'its name or GUID' };
const onlyObject = repeated(
  '--object <collection/object>',
  'only the draft of this object: collection/name or collection/GUID',
);
const number = { name: '<number>', says: 'of a publication: see servery config history', read };

const objectColumns: readonly Column<ConfigurationObject>[] = [
  { title: 'object', cell: ({ guid }) => guid },
  { title: 'name', cell: ({ name }) => name ?? '', breaks: true },
  { title: 'draft', cell: ({ change }) => change?.toLowerCase() ?? '' },
  { title: 'published', cell: ({ publishedAt }) => publishedAt ?? '' },
];

const draftColumns: readonly Column<DraftedObject>[] = [
  { title: 'collection', cell: ({ collection: own }) => own },
  { title: 'object', cell: ({ guid }) => guid },
  { title: 'name', cell: ({ name }) => name ?? '', breaks: true },
  { title: 'does', cell: ({ change }) => change.toLowerCase() },
  { title: 'by', cell: ({ draft }) => draft.modifiedBy },
  { title: 'edited', cell: ({ draft }) => draft.modifiedAt },
  { title: 'outdated', cell: ({ draft }) => (draft.isOutdated ? 'outdated' : '') },
];

const changeColumns: readonly Column<ConfigurationChange>[] = [
  { title: 'partners see', cell: ({ kind }) => kind.toLowerCase() },
  { title: 'collection', cell: ({ collection: own }) => own },
  { title: 'object', cell: ({ name, guid }) => name ?? guid, breaks: true },
  { title: 'fields', cell: fieldsText, breaks: true },
];

const publicationColumns: readonly Column<Publication>[] = [
  { title: 'number', cell: (own) => String(own.number) },
  { title: 'at', cell: ({ publishedAt }) => publishedAt },
  { title: 'cause', cell: ({ cause }) => cause },
  { title: 'by', cell: ({ publishedBy }) => publishedBy },
  { title: 'added', cell: ({ counts }) => String(counts.added) },
  { title: 'changed', cell: ({ counts }) => String(counts.changed) },
  { title: 'removed', cell: ({ counts }) => String(counts.removed) },
  { title: 'note', cell: (own) => own.note ?? '', breaks: true },
];

const objectVerbs: readonly Verb[] = [
  verb<PlaceFlags & { readonly name?: string; readonly drafted?: boolean; readonly limit: number }>(
    {
      name: 'objects',
      says: 'the objects of a collection, drafted and published',
      example: 'servery config objects menuItems --name soup',
      words: [collection],
      flags: [
        restaurant,
        flag('--name <text>', 'with this in their name'),
        flag('--drafted', 'those with a draft'),
        limitFlag(),
      ],
      run: async (call) => {
        const { name, drafted, limit } = call.flags;
        const query = { name, drafted: drafted ? 'true' : undefined };
        const path = await collectionPath(call);
        const page = await readPages<ConfigurationObject>(call.remote, path, query, limit);
        return rows(objectColumns, page, 'There is no such object.');
      },
    },
  ),
  verb<PlaceFlags>({
    name: 'show',
    says: 'one object, with its draft and what is published',
    example: 'servery config show menuItems "Apple Pie with Cheddar"',
    words: [collection, object],
    flags: [restaurant],
    run: async (call) => fields(await call.remote.get(await objectPath(call))),
  }),
  verb<PlaceFlags & EditFlags>({
    name: 'create',
    says: 'draft a new object',
    example: 'servery config create menuItems --set name="Caesar Salad" --set calories=420',
    words: [collection],
    flags: [restaurant, ...editFlags],
    run: async (call) => {
      const body = await editOf(call.flags);
      return drafted(call, await call.remote.post(await collectionPath(call), body));
    },
  }),
  verb<PlaceFlags & EditFlags>({
    name: 'edit',
    says: 'draft a change of an object',
    example: 'servery config edit menuItems "Apple Pie with Cheddar" --set calories=430',
    words: [collection, object],
    flags: [restaurant, ...editFlags],
    run: async (call) => {
      const patch = await editOf(call.flags);
      return drafted(call, await call.remote.send('PATCH', await objectPath(call), patch));
    },
  }),
  ...(['archive', 'unarchive'] as const).map((move) =>
    verb<PlaceFlags>({
      name: move,
      says: move === 'archive' ? 'draft that an object goes' : 'draft that it comes back',
      example: `servery config ${move} menuItems "Apple Pie with Cheddar"`,
      words: [collection, object],
      flags: [restaurant],
      run: async (call) =>
        drafted(call, await call.remote.post(`${await objectPath(call)}/${move}`)),
    }),
  ),
];

const tipWithholding = verb<PlaceFlags & EditFlags>({
  name: 'tip-withholding',
  says: 'what is kept back of card tips; with --set, draft a change of it',
  example: 'servery config tip-withholding --set enabled=true --set percentage=0.03',
  flags: [restaurant, ...editFlags],
  run: async (call) => {
    const path = `${await configurationPath(call)}/${TIP_WITHHOLDING}`;
    const patch = await knownFields('SetTipWithholding', await patchOf(call.flags));
    const now = await call.remote.get<ConfigurationObject>(path);
    if (Object.keys(patch).length === 0) return fields(now);
    const { enabled, percentage } = now.object as Partial<SetTipWithholding>;
    const body = { enabled, percentage, ...patch };
    return drafted(call, await call.remote.send('PUT', path, body));
  },
});

const draftVerbs: readonly Verb[] = [
  verb<PlaceFlags>({
    name: 'drafts',
    says: 'every object with a draft',
    example: 'servery config drafts',
    flags: [restaurant],
    run: async (call) => {
      const draft = await call.remote.get<ConfigurationDraft>(
        `${await configurationPath(call)}/draft`,
      );
      return draftShown(call, draft);
    },
  }),
  verb<PlaceFlags>({
    name: 'discard',
    says: 'end all drafts, or those of the objects that are named',
    example: 'servery config discard "menuItems/Apple Pie with Cheddar"',
    words: [{ name: '[objects...]', says: 'collection/name or collection/GUID; all without one' }],
    flags: [restaurant],
    run: async (call) => {
      const named = await placesNamed(call, call.words);
      const body = named.length === 0 ? { all: true } : { objects: named };
      const path = `${await configurationPath(call)}/draft/discard`;
      return discardedShown(call, await call.remote.post<ConfigurationDraft>(path, body));
    },
  }),
  verb<PlaceFlags & { readonly object?: readonly string[] }>({
    name: 'preview',
    says: 'what partners will see differently, and what keeps drafts back',
    example: 'servery config preview',
    flags: [restaurant, onlyObject],
    run: async (call) => {
      const named = await placesNamed(call, call.flags.object ?? []);
      const objects = named.map((one) => `${one.collection}/${one.guid}`).join(',') || undefined;
      const path = `${await configurationPath(call)}/draft/preview`;
      const only = (call.flags.object ?? []).map((one) => ` --object ${JSON.stringify(one)}`);
      const preview = await call.remote.get<ConfigurationPreview>(path, { objects });
      return previewShown(preview, sameRestaurant(call) + only.join(''));
    },
  }),
  verb<PublishFlags>({
    name: 'publish',
    says: 'publish all drafts, or some, at once',
    example: 'servery config publish --note "spring menu"',
    flags: [
      restaurant,
      note,
      flag('--expect <state>', 'only if the preview with this state still holds'),
      onlyObject,
    ],
    run: async (call) => {
      const { note: words, expect: expectedState, object: own } = call.flags;
      const objects = own && (await placesNamed(call, own));
      const path = `${await configurationPath(call)}/publications`;
      const body = { note: words, expectedState, objects };
      return publicationShown(call, await call.remote.post<Publication>(path, body));
    },
  }),
];

const historyVerbs: readonly Verb[] = [
  verb<PlaceFlags & { readonly limit: number }>({
    name: 'history',
    says: 'who published what when, newest first',
    example: 'servery config history',
    flags: [restaurant, limitFlag()],
    run: async (call) => {
      const path = `${await configurationPath(call)}/publications`;
      const page = await readPages<Publication>(call.remote, path, {}, call.flags.limit);
      return await publicationsShown(call, page);
    },
  }),
  verb<PlaceFlags>({
    name: 'publication',
    says: 'one publication, with what it changed',
    example: 'servery config publication 1',
    words: [number],
    flags: [restaurant],
    run: async (call) =>
      fields(
        await call.remote.get(`${await configurationPath(call)}/publications/${call.words[0]}`),
      ),
  }),
  verb<PlaceFlags & { readonly note?: string }>({
    name: 'rollback',
    says: 'publish again what a publication showed',
    example: 'servery config rollback 1 --note "the new prices were wrong"',
    words: [number],
    flags: [restaurant, note],
    run: async (call) => {
      const path = `${await configurationPath(call)}/publications/${call.words[0]}/rollback`;
      const body = { note: call.flags.note };
      return publicationShown(call, await call.remote.post<Publication>(path, body));
    },
  }),
  verb<{ readonly note?: string }>({
    name: 'publish-group',
    says: 'publish the drafts of several restaurants, all or none',
    example: 'servery config publish-group Wrenfield "The Early Wren" Nachtschwalbe',
    words: [
      { name: '<group>', says: 'its name or GUID' },
      { name: '<restaurants...>', says: 'their names or GUIDs' },
    ],
    flags: [note],
    run: async (call) => {
      const { remote, find, flags } = call;
      const [group = '', ...names] = call.words;
      const restaurants: { restaurantGuid: string }[] = [];
      for (const name of names) restaurants.push({ restaurantGuid: await find.restaurant(name) });
      const path = `/backoffice/v1/managementGroups/${await find.group(group)}/publications`;
      const done = await remote.post<GroupPublication>(path, { note: flags.note, restaurants });
      const listed = { results: done.publications, hasMore: false };
      return { ...(await publicationsShown(call, listed)), json: done };
    },
  }),
];

/** `servery config`. */
export const config: Family = {
  name: 'config',
  says: 'plan and apply configuration from files, edit drafts, publish, roll back',
  examples: [
    'servery config export --names --out menu.yaml',
    'servery config plan menu.yaml && servery config apply menu.yaml',
  ],
  verbs: [...fileVerbs, ...objectVerbs, tipWithholding, ...draftVerbs, ...historyVerbs],
};

function read(text: string): string {
  if (/^[1-9]\d{0,8}$/.test(text)) return text;
  throw invalidUsage(`${JSON.stringify(text)} is no number of a publication: write such as 7.`);
}

function drafted(call: Call<PlaceFlags>, own: ConfigurationObject): Shown {
  const { collection: kind, guid, name, change } = own;
  const what = `${kind} ${name ?? ''} (${guid})`.replace('  ', ' ');
  return said(
    own,
    change === null
      ? `${what} is as it is published: there is no draft of it.`
      : `Drafted: ${what} — ${change.toLowerCase()}.`,
    change === null ? [] : [`Partners see it after: servery config publish${sameRestaurant(call)}`],
  );
}

/** What was discarded is gone: what is listed are the drafts that go on. */
async function discardedShown(call: Call<object>, left: ConfigurationDraft): Promise<Shown> {
  const shown = await draftShown(call, left);
  const count = left.results.length;
  const words = count === 1 ? 'One other draft goes' : `${count} other drafts go`;
  if (count > 0) return { ...shown, notes: [...(shown.notes ?? []), `Discarded. ${words} on.`] };
  return { ...shown, notes: ['Discarded. There is no draft any more.'], print: () => {} };
}

async function draftShown(call: Call<object>, draft: ConfigurationDraft): Promise<Shown> {
  const editors = draft.results.map((one) => one.draft.modifiedBy);
  const nameOf = await namesOf(call, editors, ACTORS);
  const results = draft.results.map((one) => {
    const modifiedBy = nameOf(one.draft.modifiedBy);
    return { ...one, draft: { ...one.draft, modifiedBy } };
  });
  return {
    ...rows(draftColumns, { results, hasMore: false }, 'There is no draft.'),
    json: draft,
  };
}

async function publicationsShown(
  call: Call<object>,
  { results, hasMore }: Listed<Publication>,
): Promise<Shown> {
  const publishers = results.map(({ publishedBy }) => publishedBy);
  const nameOf = await namesOf(call, publishers, ACTORS);
  const named = results.map((one) => ({ ...one, publishedBy: nameOf(one.publishedBy) }));
  return {
    ...rows(publicationColumns, { results: named, hasMore }, 'Nothing was ever published.'),
    json: results,
  };
}

/** `flags` are those that the command took, for the one that publishes the same. */
function previewShown(preview: ConfigurationPreview, flags: string): Shown {
  const { changes, changeCount, faults, faultCount, state, isPublishable } = preview;
  const listed = { results: changes, hasMore: false };
  const notes = faults.map(
    ({ collection: kind, name, guid, field, message }) =>
      `- ${[kind, name ?? guid, field].filter(Boolean).join(' ')}: ${message}`,
  );
  if (faultCount > 0) notes.unshift(`${faultCount} to mend before it can be published:`);
  if (changeCount > changes.length) notes.unshift(`${changeCount} changes in all.`);
  if (changes.some((change) => fieldsText(change).includes('…'))) {
    notes.push('The whole values are in --json.');
  }
  if (isPublishable) {
    notes.push(`To publish just this: servery config publish --expect ${state}${flags}`);
  }
  return {
    ...rows(changeColumns, listed, 'Partners will see no difference.'),
    json: preview,
    notes,
  };
}

const VALUE_AT_MOST = 40;

/** Of what was there before, each value before and after, as far as a table has room. */
function fieldsText({ kind, fields: own }: ConfigurationChange): string {
  if (kind === 'ADDED') return own.map(({ field }) => field).join(', ');
  return own
    .map(({ field, before, after }) => `${field}: ${shortText(before)} → ${shortText(after)}`)
    .join('; ');
}

function shortText(value: unknown): string {
  const letters = [...valueText(value)];
  const isLong = letters.length > VALUE_AT_MOST;
  return isLong ? `${letters.slice(0, VALUE_AT_MOST - 1).join('')}…` : letters.join('');
}

function publicationShown(call: Call<PlaceFlags>, own: Publication): Shown {
  const { added, changed, removed } = own.counts;
  return said(
    own,
    `Published as ${own.number}: ${added} added, ${changed} changed, ${removed} removed.`,
    [`To go back: servery config rollback ${own.number - 1}${sameRestaurant(call)}`],
  );
}
