import type { SchemaName } from '../schemas.ts';
import { type Examples, exampleGuid, exampleMultiLocationId, serials } from './example.ts';

const restaurantGuid = exampleGuid(serials.restaurant);
const guid = exampleGuid(serials.menuItem);
const by = `person:${exampleGuid(80)}`;
const place = { collection: 'menuItems', guid };
const name = 'Fish tacos';
const state = 'Vb1kq0m5bB3oT0jP8vVdXw';
const counts = { added: 0, changed: 1, removed: 0 };
const draftCounts = { create: 0, change: 1, archive: 0, restore: 0 };
const fields = [{ field: 'calories', before: 640, after: 610 }];
const published = {
  guid,
  externalId: null,
  multiLocationId: exampleMultiLocationId,
  archived: false,
  name,
};

const draft = {
  revision: exampleGuid(81),
  createdBy: by,
  createdAt: '2026-01-31T18:30:00.000Z',
  modifiedBy: by,
  modifiedByName: 'Robin Example',
  modifiedAt: '2026-01-31T18:31:00.000Z',
  isOutdated: false,
};

const ConfigurationObject = {
  ...place,
  name,
  state,
  change: 'CHANGE',
  object: { ...published, calories: 610 },
  published: { ...published, calories: 640 },
  publishedAt: '2026-01-20T10:00:00.000Z',
  draft,
} satisfies Examples<'ConfigurationObject'>['ConfigurationObject'];

const change = { ...place, name, kind: 'CHANGED', fields } as const;

const Publication = {
  restaurantGuid,
  number: 7,
  cause: 'PUBLISHED',
  publishedAt: '2026-01-31T18:35:00.000Z',
  publishedBy: by,
  publishedByName: 'Robin Example',
  note: 'Lighter tacos.',
  rolledBackTo: null,
  groupPublicationGuid: null,
  counts,
} satisfies Examples<'Publication'>['Publication'];

const document = {
  format: 'servery.configuration/1',
  complete: false,
  configuration: { menuItems: [{ guid, name, calories: 610 }] },
};

const ConfigurationPlan = {
  restaurantGuid,
  publishNumber: 6,
  state,
  isUpToDate: false,
  counts: draftCounts,
  actions: [{ action: 'CHANGE', ...place, name, fields }],
  actionCount: 1,
} satisfies Examples<'ConfigurationPlan'>['ConfigurationPlan'];

const warning = {
  ...{ collection: 'menuItems', guid: exampleGuid(83), name: 'Salsa', field: 'pricing' },
  message:
    'has no price in the group "Extras" of the menu "Lunch", so nobody can order it; set a price ' +
    'of the item or of the group',
};

const MenusPreview = {
  isChanged: true,
  priceChanges: [
    {
      ...{ menu: 'Lunch', group: 'Tacos', item: name, itemGuid: guid, size: null },
      ...{ oldPrice: 8, newPrice: 8.5 },
    },
  ],
  priceChangeCount: 1,
  warnings: [warning],
  warningCount: 1,
} satisfies Examples<'MenusPreview'>['MenusPreview'];

export const draftsExamples = {
  ConfigurationObject,
  ConfigurationObjectPage: { results: [ConfigurationObject], nextPageToken: null },
  ConfigurationObjectFields: { name, calories: 610, optionGroups: ['Toppings'] },
  SetTipWithholding: { enabled: true, percentage: 0.03 },
  ConfigurationDraft: {
    restaurantGuid,
    publishNumber: 6,
    state,
    counts: draftCounts,
    results: [{ ...place, name, change: 'CHANGE', draft }],
  },
  DiscardDrafts: { objects: [place] },
  ConfigurationPreview: {
    restaurantGuid,
    publishNumber: 6,
    state,
    isPublishable: true,
    counts,
    collections: [{ collection: 'menuItems', ...counts }],
    changes: [change],
    changeCount: 1,
    faults: [],
    faultCount: 0,
    menus: MenusPreview,
    outdated: [],
  },
  PublishConfiguration: { note: 'Lighter tacos.', objects: [place], expectedState: state },
  Publication,
  PublicationPage: { results: [Publication], nextPageToken: null },
  PublicationDetails: { ...Publication, changes: [change], changeCount: 1 },
  RollBackConfiguration: { note: 'The old menu after all.', expectedNumber: 7 },
  PublishGroup: { note: 'Summer menu.', restaurants: [{ restaurantGuid, expectedState: state }] },
  GroupPublication: {
    guid: exampleGuid(82),
    managementGroupGuid: exampleGuid(serials.managementGroup),
    publications: [Publication],
  },
  ConfigurationDocument: {
    format: 'servery.configuration/1',
    restaurant: { guid: restaurantGuid, name: 'Corner Diner' },
    complete: true,
    configuration: { menuItems: [{ ...published, calories: 610 }] },
  },
  PlanConfiguration: { document },
  ApplyConfiguration: { document, note: 'From the files.', expectedState: state },
  DraftConfiguration: { document, expectedState: state, conflicts: 'keep' },
  ConfigurationPlan,
  AppliedConfiguration: { plan: ConfigurationPlan, publication: Publication },
} satisfies Partial<Examples<SchemaName>>;
