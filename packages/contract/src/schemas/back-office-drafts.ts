import type { Static } from 'typebox';
import { configurationObjectsAtMost } from './back-office-terms.ts';
import {
  answer,
  choice,
  dateTime,
  decimal,
  flag,
  line,
  list,
  optional,
  orNull,
  request,
  text,
  uuid,
  whole,
  words,
} from './field.ts';
import { pageOf } from './page.ts';
import { Type } from './type.ts';

const collection = line('Name of the collection, or `tipWithholding`.');
const placeLimit = { maxItems: configurationObjectsAtMost };
const objectGuid = uuid('The object.');
const name = orNull(text('Name of the object; null for collections without names.'));
const note = orNull(text('The note of the publisher; null if there is none.'));
const requestNote = orNull(
  words('A note on the publication, for the history.', { minLength: 1, maxLength: 1_000 }),
);
const state = text(
  'Identifies what you looked at. Send it as expectedState to get a 409 if someone changes it first.',
);
const expectedState = orNull(
  line(
    'The state of the preview or plan that this is based on. If it has changed since, you get a 409.',
  ),
);
const document = (description: string) =>
  Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object', description });
const anything = (description: string) => Type.Unsafe<unknown>({ description });
const changeKind = choice(
  'CREATE: partners get a new object. CHANGE: its content differs. ARCHIVE: partners no longer ' +
    'see it. RESTORE: an archived object comes back.',
  ['CREATE', 'CHANGE', 'ARCHIVE', 'RESTORE'],
);

export const ConfigurationPlace = request('Names an object of a restaurant.', {
  collection,
  guid: objectGuid,
});
export type ConfigurationPlace = Static<typeof ConfigurationPlace>;

export const DraftStatus = answer('Who drafted an object, and when.', {
  revision: uuid('Changes with each edit.'),
  createdBy: text('Who started the draft: the id of a client, or `person:` and a GUID.'),
  createdAt: dateTime('When the draft was started.'),
  modifiedBy: text('Who last edited it.'),
  modifiedByName: orNull(
    text('The name of the person or account that last edited it; null if it is not known.'),
  ),
  modifiedAt: dateTime('When it was last edited.'),
  isOutdated: flag(
    'True when the published object has changed since the draft was started. Publishing then ' +
      'needs the expectedState of a preview.',
  ),
});
export type DraftStatus = Static<typeof DraftStatus>;

export const ConfigurationObject = answer(
  'An object as drafted and as published. Its fields are those of the configuration document. A ' +
    'reference is the GUID of its target.',
  {
    collection,
    guid: objectGuid,
    name,
    state,
    change: orNull(
      changeKind,
      'What publishing the draft does to the object; null when there is no draft.',
    ),
    object: document('The object as drafted, or as published when there is no draft.'),
    published: orNull(
      document('The object as it is published.'),
      'The object as it is published; null when it never was.',
    ),
    publishedAt: orNull(dateTime('When the published object last changed.')),
    draft: orNull(DraftStatus, 'Null when there is no draft.'),
  },
);
export type ConfigurationObject = Static<typeof ConfigurationObject>;

export const ConfigurationObjectPage = answer(
  'One page of objects of a collection.',
  pageOf(ConfigurationObject, 'The objects, sorted by GUID.'),
);
export type ConfigurationObjectPage = Static<typeof ConfigurationObjectPage>;

export const ConfigurationObjectFields = Type.Unsafe<Readonly<Record<string, unknown>>>({
  type: 'object',
  maxProperties: 100,
  description:
    'Fields of an object, as in the configuration document. A reference is the GUID of its ' +
    'target, or its name if the name is unique.',
});
export type ConfigurationObjectFields = Static<typeof ConfigurationObjectFields>;

export const SetTipWithholding = request('The share of card tips that the restaurant withholds.', {
  enabled: flag('If false, nothing is withheld, whatever the percentage.'),
  percentage: Type.Number({
    description: 'Share that is withheld, as a fraction: 0.03 is three percent.',
    format: 'double',
    minimum: 0,
    maximum: 1,
    '~must': 'be a fraction from 0 to 1: write 0.03 for three percent',
  }),
});
export type SetTipWithholding = Static<typeof SetTipWithholding>;

export const DraftedObject = answer('An object that has a draft.', {
  collection,
  guid: objectGuid,
  name,
  change: changeKind,
  draft: DraftStatus,
});
export type DraftedObject = Static<typeof DraftedObject>;

export const DraftCounts = answer('How many objects are drafted or planned, by kind of change.', {
  create: whole('Objects that are new.'),
  change: whole('Objects whose content changes.'),
  archive: whole('Objects that are archived.'),
  restore: whole('Archived objects that come back.'),
});
export type DraftCounts = Static<typeof DraftCounts>;

export const ConfigurationDraft = answer('Every draft of a restaurant.', {
  restaurantGuid: uuid('The restaurant.'),
  publishNumber: whole('The publication that partners see now.'),
  state,
  counts: DraftCounts,
  results: list(DraftedObject, 'The objects with a draft, oldest draft first.'),
});
export type ConfigurationDraft = Static<typeof ConfigurationDraft>;

export const DiscardDrafts = request('Which drafts to discard: all of them, or those named.', {
  all: Type.Optional(flag('True for every draft of the restaurant.')),
  objects: optional(list(ConfigurationPlace, 'The objects whose drafts to discard.', placeLimit)),
});
export type DiscardDrafts = Static<typeof DiscardDrafts>;

export const FieldChange = answer('A field before and after a change.', {
  field: text('Name of the field.'),
  before: anything('The value before; null when there was none.'),
  after: anything('The value after; null when there is none.'),
});
export type FieldChange = Static<typeof FieldChange>;

export const ConfigurationChange = answer('What changes about one object for partners.', {
  collection,
  guid: objectGuid,
  name,
  kind: choice(
    'ADDED: partners start to see it. CHANGED: partners see a change. REMOVED: partners no longer ' +
      'see it. HIDDEN: an archived object changed, which no partner sees.',
    ['ADDED', 'CHANGED', 'REMOVED', 'HIDDEN'],
  ),
  fields: list(
    FieldChange,
    'The fields that differ: all fields of an added object, none of a removed one.',
  ),
});
export type ConfigurationChange = Static<typeof ConfigurationChange>;

export const ChangeCounts = answer(
  'How many objects are added, changed, and removed for partners.',
  {
    added: whole('Objects that partners start to see.'),
    changed: whole('Objects that partners see changed.'),
    removed: whole('Objects that partners no longer see.'),
  },
);
export type ChangeCounts = Static<typeof ChangeCounts>;

export const CollectionCounts = answer('The counts of one collection.', {
  collection,
  ...ChangeCounts.properties,
});
export type CollectionCounts = Static<typeof CollectionCounts>;

export const ConfigurationFault = answer('Something that prevents drafts from being published.', {
  collection,
  guid: orNull(uuid('The object with the fault; null if the fault is not in one object.')),
  name,
  field: text('The field, for example `groups[2]`; empty for the object as a whole.'),
  message: text('What is wrong, and what to do.'),
});
export type ConfigurationFault = Static<typeof ConfigurationFault>;

export const MenuPriceChange = answer('An item whose price in a menu will change.', {
  menu: text('Name of the menu.'),
  group: text('Name of the menu group that has the item.'),
  item: text('Name of the item.'),
  itemGuid: uuid('The item.'),
  size: orNull(text('Name of the size; null if the item has no sizes.')),
  oldPrice: orNull(decimal('Price now, in currency units. Null: none, or entered at the sale.')),
  newPrice: orNull(decimal('Price then, in currency units. Null: none, or entered at the sale.')),
});
export type MenuPriceChange = Static<typeof MenuPriceChange>;

export const ConfigurationWarning = answer('Something that you can publish, but may not want.', {
  ...ConfigurationFault.properties,
});
export type ConfigurationWarning = Static<typeof ConfigurationWarning>;

export const MenusPreview = answer('What publishing changes in the menus that partners read.', {
  isChanged: flag('Whether publishing changes the menus that partners read.'),
  priceChanges: list(
    MenuPriceChange,
    'Base prices of items and sizes that change, at most 1,000, in the order of the menus.',
  ),
  priceChangeCount: whole('How many prices change, including those not listed.'),
  warnings: list(ConfigurationWarning, 'Things that may be unintended, at most 50.'),
  warningCount: whole('How many warnings there are, including those not listed.'),
});
export type MenusPreview = Static<typeof MenusPreview>;

export const ConfigurationPreview = answer(
  'What would change for partners, field by field, if you published the drafts now.',
  {
    restaurantGuid: uuid('The restaurant.'),
    publishNumber: whole('The publication that partners see now.'),
    state,
    isPublishable: flag('False if there are faults, or if there is nothing to publish.'),
    counts: ChangeCounts,
    collections: list(CollectionCounts, 'The collections that change.'),
    changes: list(
      ConfigurationChange,
      'The changes, at most 1,000, sorted by collection and GUID.',
    ),
    changeCount: whole('How many changes there are, including those not listed.'),
    faults: list(ConfigurationFault, 'The faults to fix first, at most 50.'),
    faultCount: whole('How many faults there are, including those not listed.'),
    menus: MenusPreview,
    outdated: list(
      ConfigurationPlace,
      'Drafts whose published objects have changed since the drafts were started.',
    ),
  },
);
export type ConfigurationPreview = Static<typeof ConfigurationPreview>;

export const PublishConfiguration = request('The drafts to publish. Default: all.', {
  note: Type.Optional(requestNote),
  objects: optional(
    list(ConfigurationPlace, 'The objects whose drafts are published.', placeLimit),
  ),
  expectedState: Type.Optional(expectedState),
});
export type PublishConfiguration = Static<typeof PublishConfiguration>;

export const Publication = answer("One publication of a restaurant's configuration.", {
  restaurantGuid: uuid('The restaurant.'),
  number: whole('The publish number of the restaurant after it.'),
  cause: choice(
    'PUBLISHED: drafts. APPLIED: a configuration document. ROLLED_BACK: an earlier publication. ' +
      'IMPORTED: a group document. BEGUN: the state when the history started.',
    ['PUBLISHED', 'APPLIED', 'ROLLED_BACK', 'IMPORTED', 'BEGUN'],
  ),
  publishedAt: dateTime('When it was published.'),
  publishedBy: text('Who published: a client, `person:` and a GUID, or `system:` and a name.'),
  publishedByName: orNull(
    text('The name of the person or account that published; null if it is not known.'),
  ),
  note,
  rolledBackTo: orNull(whole('The publication that it rolled back to; null for other causes.')),
  groupPublicationGuid: orNull(
    uuid('The same for all restaurants that were published together; null for a single one.'),
  ),
  counts: ChangeCounts,
});
export type Publication = Static<typeof Publication>;

export const PublicationPage = answer(
  'One page of publications.',
  pageOf(Publication, 'The publications, newest first.'),
);
export type PublicationPage = Static<typeof PublicationPage>;

export const PublicationDetails = answer('A publication with what it changed.', {
  ...Publication.properties,
  changes: list(
    ConfigurationChange,
    'The changes, at most 1,000, sorted by collection and GUID. References are GUIDs.',
  ),
  changeCount: whole('How many changes there were, including those not listed.'),
});
export type PublicationDetails = Static<typeof PublicationDetails>;

export const RollBackConfiguration = request('How to roll back to an earlier publication.', {
  note: Type.Optional(requestNote),
  expectedNumber: Type.Optional(
    orNull(
      whole('The newest publication that you know of. If there is a newer one, you get a 409.'),
    ),
  ),
});
export type RollBackConfiguration = Static<typeof RollBackConfiguration>;

export const GroupPublicationPart = request('One restaurant that is published with others.', {
  restaurantGuid: uuid('The restaurant.'),
  objects: optional(
    list(ConfigurationPlace, 'The objects whose drafts are published.', placeLimit),
  ),
  expectedState: Type.Optional(expectedState),
});
export type GroupPublicationPart = Static<typeof GroupPublicationPart>;

export const PublishGroup = request('Which restaurants to publish, all of them or none.', {
  note: Type.Optional(requestNote),
  restaurants: list(GroupPublicationPart, 'The restaurants, each with all its drafts or some.', {
    minItems: 1,
    maxItems: 1_000,
  }),
});
export type PublishGroup = Static<typeof PublishGroup>;

export const GroupPublication = answer('Restaurants that were published together.', {
  guid: uuid('Identifies the joint publication.'),
  managementGroupGuid: uuid('The group.'),
  publications: list(
    Publication,
    'One publication for each restaurant, in the order of the request.',
  ),
});
export type GroupPublication = Static<typeof GroupPublication>;

export const ConfigurationDocument = answer(
  'The configuration of a restaurant as one document. docs/reference/configuration-document.md describes it.',
  {
    format: Type.Literal('servery.configuration/1', {
      description: 'Name and version of the format.',
    }),
    restaurant: answer('The restaurant that the configuration belongs to.', {
      guid: uuid('The restaurant.'),
      name: text('Its name.'),
    }),
    complete: flag('True: applying the document archives every object that it does not name.'),
    configuration: document('The collections by name, and tipWithholding.'),
  },
);
export type ConfigurationDocument = Static<typeof ConfigurationDocument>;

const sentDocument = document(
  'A configuration document, as docs/reference/configuration-document.md describes it.',
);

export const PlanConfiguration = request('The document to plan with.', {
  document: sentDocument,
});
export type PlanConfiguration = Static<typeof PlanConfiguration>;

export const ApplyConfiguration = request('The document to apply.', {
  document: sentDocument,
  note: Type.Optional(requestNote),
  expectedState: Type.Optional(expectedState),
});
export type ApplyConfiguration = Static<typeof ApplyConfiguration>;

export const DraftConfiguration = request('The document to draft.', {
  document: sentDocument,
  expectedState: Type.Optional(expectedState),
  conflicts: Type.Optional(
    choice(
      'What to do if a draft has another value for a field that the document changes: `refuse` ' +
        "everything (default), `keep` the draft's value, or `replace` it.",
      ['refuse', 'keep', 'replace'],
    ),
  ),
});
export type DraftConfiguration = Static<typeof DraftConfiguration>;

export const PlannedAction = answer('What applying a document does to one object.', {
  action: changeKind,
  collection,
  guid: objectGuid,
  name,
  fields: list(
    FieldChange,
    'The fields that differ, as in the document: all fields of a new object, none of an archived one.',
  ),
});
export type PlannedAction = Static<typeof PlannedAction>;

export const ConfigurationPlan = answer('What applying a document does.', {
  restaurantGuid: uuid('The restaurant.'),
  publishNumber: whole('The publication that the plan is based on.'),
  state,
  isUpToDate: flag('True if there is nothing to do: applying would publish nothing.'),
  counts: DraftCounts,
  actions: list(PlannedAction, 'The actions, at most 1,000, sorted by collection and GUID.'),
  actionCount: whole('How many actions there are, including those not listed.'),
});
export type ConfigurationPlan = Static<typeof ConfigurationPlan>;

export const AppliedConfiguration = answer('What applying a document did.', {
  plan: ConfigurationPlan,
  publication: orNull(Publication, 'Null if nothing differed from the document.'),
});
export type AppliedConfiguration = Static<typeof AppliedConfiguration>;
