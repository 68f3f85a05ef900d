import type {
  ConfigurationChange,
  ConfigurationDraft,
  ConfigurationObject,
  ConfigurationPlace,
  ConfigurationPreview,
  DraftedObject,
  MenusPreview,
  Publication,
  SetTipWithholding,
} from '@servery/contract';
import { nearestNames } from '@servery/support/nearest-names.ts';
import { type At, command, type Family, type PlatformCall } from '../command.ts';
import { editOf, editOptions, knownFields, needsFields, patchOf } from '../edit.ts';
import { invalidUsage } from '../exit-codes.ts';
import { fieldChangesText } from '../field-changes.ts';
import { allOf, findRestaurant, named, oneOf } from '../find/find.ts';
import { withNames } from '../find/names.ts';
import { quoted } from '../readers.ts';
import { type Columns, fields, rows, type Shown, said } from '../shown.ts';
import {
  argument,
  as,
  atRestaurant,
  limit,
  loading,
  naming,
  repeated,
  restaurantNames,
  several,
  text,
  the,
  toggle,
} from '../values.ts';
import { fileCommands } from './config-files.ts';

const objectColumns: Columns<ConfigurationObject> = {
  object: 'guid',
  name: 'name',
  draft: ({ change }) => change?.toLowerCase(),
  published: 'publishedAt',
};

const draftColumns: Columns<DraftedObject & { readonly by: string }> = {
  collection: 'collection',
  object: 'guid',
  name: 'name',
  change: ({ change }) => change.toLowerCase(),
  by: 'by',
  edited: ({ draft }) => draft.modifiedAt,
  outdated: ({ draft }) => draft.isOutdated,
};

const changeColumns: Columns<ConfigurationChange> = {
  'partners see': ({ kind }) => kind.toLowerCase(),
  collection: 'collection',
  object: ({ name, guid }) => name ?? guid,
  fields: fieldsText,
};

const publicationColumns: Columns<Publication> = {
  number: 'number',
  at: 'publishedAt',
  cause: 'cause',
  by: 'publishedBy',
  added: ({ counts }) => String(counts.added),
  changed: ({ counts }) => String(counts.changed),
  removed: ({ counts }) => String(counts.removed),
  note: 'note',
};

const at = { restaurant: atRestaurant() };
const note = { note: text('<text>', 'note for the history') };
const collection = {
  ...as('collection', loading(findCollection, argument('for example menuItems'))),
  completions: async () => (await import('@servery/contract')).collections.map(({ name }) => name),
};
const inCollection = { collection };
const onObject = { collection, object: naming(findObject, 'guid', argument('name or GUID')) };
const number = { number: argument('publication number: see servery config history', readNumber) };
const ONLY = 'only the draft of this object: collection/name or collection/GUID';
const onlyObjects = {
  object: naming(findPlaces, 'objects', loading(readPlaces, repeated('<collection/object>', ONLY))),
};
const expectObject = as(
  'expectedState',
  text('<state>', 'only if the object still has this state: see show'),
);
const expect = as('expectedState', text('<state>', 'only if the preview still has this state'));

export const config: Family = {
  name: 'config',
  summary: 'Plan and apply configuration files, edit drafts, publish, and roll back',
  examples: [
    'servery config export --names --out menu.yaml',
    'servery config plan menu.yaml && servery config apply menu.yaml',
  ],
  commands: [
    ...fileCommands,
    command({
      name: 'objects',
      summary: 'List the drafted and published objects of a collection',
      examples: ['servery config objects menuItems --name soup'],
      arguments: inCollection,
      options: {
        ...at,
        name: text('<text>', 'name contains this text'),
        drafted: toggle('only objects with a draft'),
        limit,
      },
      operation: 'backOffice.configuration.objects.list',
      pages: { columns: objectColumns, empty: 'No object matches.' },
    }),
    command({
      name: 'show',
      summary: 'Show an object: its draft and its published version',
      examples: ['servery config show menuItems "Apple Pie with Cheddar"'],
      arguments: onObject,
      options: at,
      operation: 'backOffice.configuration.objects.get',
    }),
    command({
      name: 'create',
      summary: 'Draft a new object',
      examples: ['servery config create menuItems --set name="Caesar Salad" --set calories=420'],
      arguments: inCollection,
      options: { ...at, ...editOptions },
      check: needsFields(),
      operation: 'backOffice.configuration.objects.create',
      run: draftEdit,
    }),
    command({
      name: 'edit',
      summary: 'Draft a change to an object',
      examples: ['servery config edit menuItems "Apple Pie with Cheddar" --set calories=430'],
      arguments: onObject,
      options: { ...at, ...editOptions, expect: expectObject },
      check: needsFields(),
      operation: 'backOffice.configuration.objects.update',
      run: draftEdit,
    }),
    command({
      name: 'archive',
      summary: 'Draft the archiving of an object',
      examples: ['servery config archive menuItems "Apple Pie with Cheddar"'],
      arguments: onObject,
      options: at,
      operation: 'backOffice.configuration.objects.archive',
      show: drafted,
    }),
    command({
      name: 'unarchive',
      summary: 'Draft the return of an archived object',
      examples: ['servery config unarchive menuItems "Apple Pie with Cheddar"'],
      arguments: onObject,
      options: at,
      operation: 'backOffice.configuration.objects.unarchive',
      show: drafted,
    }),
    command({
      name: 'tip-withholding',
      summary: 'Show how much of card tips is withheld; with --set, draft a change',
      examples: ['servery config tip-withholding --set enabled=true --set percentage=0.03'],
      options: { ...at, ...editOptions },
      check: ({ options }) => knownFields('SetTipWithholding', patchOf(options)),
      operation: 'backOffice.configuration.tipWithholding.get',
      run: async (call) => {
        const patch = patchOf(call.options);
        const now = await call.ask();
        if (Object.keys(patch).length === 0) return fields(now);
        const { enabled, percentage } = now.object as Partial<SetTipWithholding>;
        const changed = await call.client.call('backOffice.configuration.tipWithholding.set', {
          params: { restaurantGuid: call.options.restaurant },
          body: { enabled, percentage, ...patch },
        });
        return drafted(changed, call);
      },
    }),
    command({
      name: 'drafts',
      summary: 'List every object with a draft',
      examples: ['servery config drafts'],
      options: at,
      operation: 'backOffice.configuration.draft.get',
      show: draftShown,
    }),
    command({
      name: 'discard',
      summary: 'Discard all drafts, or those of some objects',
      examples: ['servery config discard "menuItems/Apple Pie with Cheddar"'],
      arguments: {
        objects: naming(
          findPlaces,
          'objects',
          loading(readPlaces, several('collection/name or collection/GUID (default: all)')),
        ),
      },
      options: at,
      operation: 'backOffice.configuration.draft.discard',
      run: async (call) => {
        const left = await call.ask(call.args.objects.length === 0 ? { body: { all: true } } : {});
        const count = left.results.length;
        if (count === 0)
          return { json: left, text: () => '', notes: ['Discarded. No drafts are left.'] };
        const others = count === 1 ? 'One other draft is' : `${count} other drafts are`;
        return { ...(await draftShown(left, call)), notes: [`Discarded. ${others} left.`] };
      },
    }),
    command({
      name: 'preview',
      summary: 'Show what partners will see, and what keeps drafts from being published',
      examples: ['servery config preview'],
      options: { ...at, ...onlyObjects },
      operation: 'backOffice.configuration.draft.preview',
      run: async (call) => {
        const places = call.options.object as unknown as ConfigurationPlace[] | undefined;
        const objects = places?.map((one) => `${one.collection}/${one.guid}`);
        const preview = await call.ask({ query: { objects } });
        const { object: written = [] } = call.flags as { readonly object?: readonly string[] };
        const only = written.map((one) => ` --object ${quoted(one)}`).join('');
        return previewShown(preview, sameRestaurant(call) + only);
      },
    }),
    command({
      name: 'publish',
      summary: 'Publish all drafts, or some of them, in one publication',
      examples: ['servery config publish --note "spring menu"'],
      options: { ...at, ...note, expect, ...onlyObjects },
      operation: 'backOffice.configuration.publications.publish',
      show: publicationShown,
    }),
    command({
      name: 'history',
      summary: 'List publications, newest first',
      examples: ['servery config history'],
      options: { ...at, limit },
      operation: 'backOffice.configuration.publications.list',
      pages: {
        columns: publicationColumns,
        empty: 'Nothing has been published yet.',
        rows: (publications, call) => withNames(call, publications, 'publishedBy'),
      },
    }),
    command({
      name: 'publication',
      summary: 'Show a publication and what it changed',
      examples: ['servery config publication 1'],
      arguments: number,
      options: at,
      operation: 'backOffice.configuration.publications.get',
    }),
    command({
      name: 'rollback',
      summary: 'Publish the state of an earlier publication again',
      examples: ['servery config rollback 1 --note "the new prices were wrong"'],
      arguments: number,
      options: { ...at, ...note },
      operation: 'backOffice.configuration.publications.rollBack',
      show: publicationShown,
    }),
    command({
      name: 'publish-group',
      summary: 'Publish the drafts of several restaurants, all or none',
      examples: ['servery config publish-group Wrenfield "The Early Wren" Nachtschwalbe'],
      arguments: {
        group: the.group,
        restaurants: {
          ...naming(findRestaurants, 'restaurants', several('names or GUIDs', true)),
          completions: restaurantNames,
        },
      },
      options: note,
      operation: 'backOffice.configuration.publishGroup',
      show: async (done, call) => {
        const shown = await withNames(call, done.publications, 'publishedBy');
        return { ...rows(publicationColumns, shown, 'Nothing was published.'), json: done };
      },
    }),
  ],
};

type Asking = Pick<PlatformCall, 'client' | 'flags'>;

function readNumber(written: string): string {
  if (/^[1-9]\d{0,8}$/.test(written)) return written;
  throw invalidUsage(`${quoted(written)} is not the number of a publication. Use, for example, 7.`);
}

/** The name of a collection as the platform writes it. */
async function findCollection(written: string): Promise<string> {
  const { collections } = await import('@servery/contract');
  const wanted = written.trim().toLowerCase();
  const known = collections.find(({ name }) => name.toLowerCase() === wanted);
  if (known) return known.name;
  const names = collections.map(({ name }) => name);
  const [meant] = nearestNames(written, names);
  const hint = meant ? `Did you mean ${meant}?` : `Use one of ${names.join(', ')}.`;
  throw invalidUsage(`there is no collection ${quoted(written)}. ${hint}`);
}

function findObject(written: string, { client, given }: At): Promise<string> {
  const own = String(given.collection);
  const kind = named('object', own, `servery config objects ${own}`);
  const params = { restaurantGuid: String(given.restaurant), collection: own };
  return oneOf(kind, written, (name) =>
    allOf(client, 'backOffice.configuration.objects.list', { params, query: { name } }),
  );
}

async function findRestaurants(names: readonly string[], at: At) {
  const found: { restaurantGuid: string }[] = [];
  for (const name of names) found.push({ restaurantGuid: await findRestaurant(name, at) });
  return found;
}

/** What stands beside the collections: the one object that a restaurant always has. */
const TIP_WITHHOLDING = 'tipWithholding';

interface WrittenPlace {
  readonly collection: string;
  /** A name or a GUID; empty for the tip withholding. */
  readonly object: string;
}

/** What is written as `collection/GUID`, `collection/name` or `tipWithholding`. */
async function readPlaces(texts: readonly string[]): Promise<readonly WrittenPlace[]> {
  const places: WrittenPlace[] = [];
  for (const written of texts) {
    const [, kind = written, object] = /^([^/]+)\/(.+)$/s.exec(written) ?? [];
    if (kind === TIP_WITHHOLDING) places.push({ collection: kind, object: '' });
    else if (object !== undefined) places.push({ collection: await findCollection(kind), object });
    else {
      throw invalidUsage(
        `${quoted(written)} does not name an object. Use collection/name or collection/GUID.`,
      );
    }
  }
  return places;
}

async function findPlaces(
  written: readonly WrittenPlace[],
  own: At,
): Promise<readonly ConfigurationPlace[]> {
  const { client, given } = own;
  const params = { restaurantGuid: String(given.restaurant) };
  const places: ConfigurationPlace[] = [];
  for (const { collection: kind, object } of written) {
    const guid =
      kind === TIP_WITHHOLDING
        ? (await client.call('backOffice.configuration.tipWithholding.get', { params })).guid
        : await findObject(object, { ...own, given: { ...given, collection: kind } });
    places.push({ collection: kind, guid });
  }
  return places;
}

/** The option that names the same restaurant in a command that is typed next. */
function sameRestaurant({ flags }: Asking): string {
  const { restaurant } = flags as { readonly restaurant?: string };
  return restaurant === undefined ? '' : ` --restaurant ${quoted(restaurant)}`;
}

async function draftEdit(call: PlatformCall): Promise<Shown> {
  const draft = await call.ask({ body: editOf(call) });
  return drafted(draft as ConfigurationObject, call);
}

function drafted(own: ConfigurationObject, call: Asking): Shown {
  const { collection: kind, guid, name, change } = own;
  const what = `${kind} ${name ?? ''} (${guid})`.replace('  ', ' ');
  if (change === null) return said(own, `${what} is as published. There is no draft of it.`);
  return said(own, `Drafted: ${what} — ${change.toLowerCase()}.`, [
    `To publish it: servery config publish${sameRestaurant(call)}`,
  ]);
}

async function draftShown(draft: ConfigurationDraft, call: Asking): Promise<Shown> {
  const editors = draft.results.map((one) => ({ ...one, by: one.draft.modifiedBy }));
  const results = await withNames(call, editors, 'by');
  return { ...rows(draftColumns, results, 'There are no drafts.'), json: draft };
}

/** `flags` are those of the command, for the one that publishes the same. */
function previewShown(preview: ConfigurationPreview, flags: string): Shown {
  const { changes, changeCount, faults, faultCount, state, isPublishable } = preview;
  const shown = rows(changeColumns, changes, 'The configuration interface shows no change.');
  const notes = [...(shown.notes ?? [])];
  if (changeCount > changes.length) notes.push(`${changeCount} changes in total.`);
  if (faultCount > 0) notes.push(`Fix these before you publish (${faultCount}):`);
  for (const { collection: kind, name, guid, field, message } of faults) {
    notes.push(`- ${[kind, name ?? guid, field].filter(Boolean).join(' ')}: ${message}`);
  }
  if (changes.some((change) => fieldsText(change).includes('…'))) {
    notes.push('--json prints the whole values.');
  }
  notes.push(...menusNotes(preview.menus));
  if (isPublishable) {
    notes.push(`To publish exactly this: servery config publish --expect ${state}${flags}`);
  }
  return { ...shown, json: preview, notes };
}

const NOTES_AT_MOST = 5;

/** The first price changes and warnings; there may be very many. */
function menusNotes({ isChanged, ...menus }: MenusPreview): string[] {
  const { priceChanges, priceChangeCount, warnings, warningCount } = menus;
  const list = (lines: readonly string[], count: number) => [
    ...lines.slice(0, NOTES_AT_MOST).map((line) => `- ${line}`),
    ...(count > NOTES_AT_MOST ? [`- and ${count - NOTES_AT_MOST} more; see --json`] : []),
  ];
  const prices = priceChanges.map(
    ({ menu, group, item, size, oldPrice, newPrice }) =>
      `${[menu, group, item, size].filter(Boolean).join(', ')}: ` +
      `${oldPrice ?? 'none'} → ${newPrice ?? 'none'}`,
  );
  const texts = warnings.map(({ collection, guid, name, message }) =>
    [`${collection} ${name ?? guid}:`, message].join(' '),
  );
  return [
    ...(isChanged ? ['The menus that partners read will change.'] : []),
    ...(prices.length > 0 ? [`Prices that change (${priceChangeCount}):`] : []),
    ...list(prices, priceChangeCount),
    ...(texts.length > 0 ? [`Warnings about the menus (${warningCount}):`] : []),
    ...list(texts, warningCount),
  ];
}

function fieldsText({ kind, fields: own }: ConfigurationChange): string {
  if (kind === 'ADDED') return own.map(({ field }) => field).join(', ');
  return fieldChangesText(own);
}

function publicationShown(own: Publication, call: Asking): Shown {
  const { added, changed, removed } = own.counts;
  return said(
    own,
    `Published as ${own.number}: ${added} added, ${changed} changed, ${removed} removed.`,
    [`To undo it: servery config rollback ${own.number - 1}${sameRestaurant(call)}`],
  );
}
