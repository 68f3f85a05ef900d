import { backOfficePageSizeAtMost } from '../schemas/back-office-terms.ts';
import { choice, flag, line, text, whole, withDefault } from '../schemas/field.ts';
import { Type } from '../schemas/type.ts';
import { json, prefix, single } from './back-office-parts.ts';
import { bodyBytesAtMost, operation } from './operation.ts';
import { guid, pageParameters } from './parameters.ts';

const restaurantGuid = guid('The restaurant.');
const collection = text('Name of the collection.', {
  pattern: '^[A-Za-z]{1,32}$',
  '~must': 'be the name of a collection',
  example: 'menuItems',
});
const oneGuid = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
const number = whole('The number of the publication.', { minimum: 1, example: 7 });
const drafts = {
  interface: 'backOffice',
  tag: 'Configuration',
  restaurant: 'restaurantInPath',
  params: { restaurantGuid },
} as const;
const path = `${prefix}/restaurants/{restaurantGuid}/configuration`;
const read = { ...drafts, method: 'GET', scope: 'configuration:read' } as const;
const write = { ...drafts, method: 'POST', scope: 'configuration:write' } as const;
const publish = { ...drafts, method: 'POST', scope: 'configuration:publish' } as const;
const object = {
  params: { restaurantGuid, collection, guid: guid('The object.') },
  response: single('ConfigurationObject'),
} as const;
const objectPath = `${path}/objects/{collection}/{guid}`;

const objectOperations = [
  operation({
    ...read,
    id: 'backOffice.configuration.objects.list',
    path: `${path}/objects/{collection}`,
    summary: 'List the objects of a collection',
    description:
      'Returns pages of objects, each with its draft and with what is published, sorted by GUID.',
    params: { restaurantGuid, collection },
    query: {
      name: Type.Optional(
        text('Only objects with this text in their name. Case does not matter.', {
          maxLength: 200,
          example: 'soup',
        }),
      ),
      guids: Type.Optional(
        text('Only these objects: GUIDs, separated by commas.', {
          pattern: `^${oneGuid}(,${oneGuid}){0,${backOfficePageSizeAtMost - 1}}$`,
          '~must': `be at most ${backOfficePageSizeAtMost} GUIDs, separated by commas`,
          maxLength: 40 * backOfficePageSizeAtMost,
          example: '5f0c1a2e-7b34-4d8a-9c61-000000000012',
        }),
      ),
      archived: Type.Optional(
        flag(
          'true: only objects that are archived, or whose draft archives them. false: only the others.',
          {
            example: false,
          },
        ),
      ),
      drafted: Type.Optional(flag('true: only objects with a draft.', { example: true })),
      ...pageParameters('Objects'),
    },
    response: single('ConfigurationObjectPage'),
  }),
  operation({
    ...write,
    id: 'backOffice.configuration.objects.create',
    path: `${path}/objects/{collection}`,
    summary: 'Draft a new object',
    description:
      'Drafts an object that partners get once you publish it. A reference to an object that is ' +
      'neither published nor drafted is refused at once; other rules are checked when you ' +
      'publish. Menus and menu groups refer to each other; the other side is updated for you.',
    params: { restaurantGuid, collection },
    requestBody: json('ConfigurationObjectFields', bodyBytesAtMost),
    response: single('ConfigurationObject'),
    also: [409, 422],
  }),
  operation({
    ...read,
    ...object,
    id: 'backOffice.configuration.objects.get',
    path: objectPath,
    summary: 'Get an object',
    description: 'Returns an object with its draft and with what is published.',
  }),
  operation({
    ...write,
    ...object,
    id: 'backOffice.configuration.objects.update',
    method: 'PATCH',
    path: objectPath,
    summary: 'Draft a change to an object',
    description:
      'Applies a JSON merge patch (RFC 7396) to the draft of an object, and starts a draft if there ' +
      'is none. A draft that becomes equal to the published object is removed.',
    query: {
      expectedState: Type.Optional(
        line(
          'The state of the object that the change is based on. If the object has changed since, ' +
            'you get a 409.',
          { example: 'Vb1kq0m5bB3oT0jP8vVdXw' },
        ),
      ),
    },
    requestBody: json('ConfigurationObjectFields', bodyBytesAtMost),
    also: [409, 422],
  }),
  operation({
    ...write,
    ...object,
    id: 'backOffice.configuration.objects.archive',
    path: `${objectPath}/archive`,
    summary: 'Draft the archiving of an object',
    description:
      'Once you publish the draft, partners no longer see the object or references to it. Takes ' +
      'no body.',
    also: [409],
  }),
  operation({
    ...write,
    ...object,
    id: 'backOffice.configuration.objects.unarchive',
    path: `${objectPath}/unarchive`,
    summary: 'Draft the return of an archived object',
    description:
      'Once you publish the draft, partners see the archived object again. Takes no body.',
  }),
  operation({
    ...write,
    ...object,
    id: 'backOffice.configuration.objects.discard',
    path: `${objectPath}/discard`,
    summary: 'Discard the draft of an object',
    description:
      'Discards the draft, so that the object is as published. If the object was never published, ' +
      'it is gone, and the response shows it one last time. Takes no body.',
    also: [409],
  }),
  operation({
    ...read,
    id: 'backOffice.configuration.tipWithholding.get',
    path: `${path}/tipWithholding`,
    summary: 'Get the tip withholding',
    description: 'Returns the tip withholding with its draft and with what is published.',
    response: single('ConfigurationObject'),
  }),
  operation({
    ...write,
    id: 'backOffice.configuration.tipWithholding.set',
    method: 'PUT',
    path: `${path}/tipWithholding`,
    summary: 'Draft the tip withholding',
    description: 'Drafts the share of card tips that the restaurant withholds.',
    requestBody: json('SetTipWithholding'),
    response: single('ConfigurationObject'),
    also: [422],
  }),
] as const;

const draftOperations = [
  operation({
    ...read,
    id: 'backOffice.configuration.draft.get',
    path: `${path}/draft`,
    summary: 'List the drafts of a restaurant',
    description:
      'Returns every object with a draft, and what publishing the draft would do. The oldest draft ' +
      'comes first. Drafts that were saved from one document are sorted by collection, and then ' +
      'in the order of the document.',
    response: single('ConfigurationDraft'),
  }),
  operation({
    ...write,
    id: 'backOffice.configuration.draft.discard',
    path: `${path}/draft/discard`,
    summary: 'Discard drafts',
    description:
      'Discards every draft of the restaurant, or the ones that you name. Published objects do not ' +
      'change.',
    requestBody: json('DiscardDrafts', bodyBytesAtMost),
    response: single('ConfigurationDraft'),
    also: [409, 422],
  }),
  operation({
    ...read,
    id: 'backOffice.configuration.draft.preview',
    path: `${path}/draft/preview`,
    summary: 'Preview a publication',
    description:
      'Returns what would change for partners, and every fault that prevents you from publishing ' +
      'the drafts.',
    query: {
      objects: Type.Optional(
        text(
          'Only the drafts of these objects, as collection/GUID, separated by commas. Default: all.',
          { maxLength: 16_000, example: 'menuItems/5f0c1a2e-7b34-4d8a-9c61-000000000012' },
        ),
      ),
    },
    response: single('ConfigurationPreview'),
    also: [422],
  }),
  operation({
    ...read,
    id: 'backOffice.configuration.draft.menus',
    path: `${path}/draft/menus`,
    summary: 'Preview the menus',
    description:
      'Returns the menus as guests would see them if you published every draft now: the document ' +
      "of `menus.get`. `lastUpdated` is the time of the last change to a draft. Drafts that can't " +
      'be published are a 422 with every fault. Without a menu, this is a 404.',
    response: single('MenusDocument'),
    also: [422],
  }),
] as const;

const publicationOperations = [
  operation({
    ...read,
    id: 'backOffice.configuration.publications.list',
    path: `${path}/publications`,
    summary: 'List the publications of a restaurant',
    description: 'Returns pages of publications, newest first: who published, when, and why.',
    query: pageParameters('Publications'),
    response: single('PublicationPage'),
  }),
  operation({
    ...publish,
    id: 'backOffice.configuration.publications.publish',
    path: `${path}/publications`,
    summary: 'Publish drafts',
    description:
      'Publishes every draft of the restaurant, or those that you name, at once. The publish ' +
      'number rises by one; partners in the middle of paging get a 409 and start again. Drafts ' +
      'that break a rule are refused with every fault. You get a 409 when there is nothing to ' +
      'publish, when the state is not the expected one, or when drafts are outdated.',
    requestBody: json('PublishConfiguration', bodyBytesAtMost),
    response: single('Publication'),
    also: [409, 422],
  }),
  operation({
    ...read,
    id: 'backOffice.configuration.publications.get',
    path: `${path}/publications/{number}`,
    summary: 'Get a publication',
    description: 'Returns a publication with the changes that it made.',
    params: { restaurantGuid, number },
    response: single('PublicationDetails'),
  }),
  operation({
    ...publish,
    id: 'backOffice.configuration.publications.rollBack',
    path: `${path}/publications/{number}/rollback`,
    summary: 'Roll back to a publication',
    description:
      'Publishes the configuration of an earlier publication again. Nothing is lost: later ' +
      'publications stay in the history, and drafts stay drafts.',
    params: { restaurantGuid, number },
    requestBody: json('RollBackConfiguration'),
    response: single('Publication'),
    also: [409, 422],
  }),
  operation({
    interface: 'backOffice',
    tag: 'Configuration',
    method: 'POST',
    scope: 'configuration:publish',
    id: 'backOffice.configuration.publishGroup',
    path: `${prefix}/managementGroups/{managementGroupGuid}/publications`,
    summary: 'Publish several restaurants of a group',
    description:
      'Publishes the drafts of several restaurants in one transaction: all of them, or none when ' +
      'one cannot be published.',
    params: { managementGroupGuid: guid('The group.') },
    requestBody: json('PublishGroup', bodyBytesAtMost),
    response: single('GroupPublication'),
    also: [404, 409, 422],
  }),
] as const;

/** A restaurant's whole configuration needs more bytes than other bodies. */
const document = { maxBytes: 8_388_608, isParsedLater: true } as const;

const fileOperations = [
  operation({
    ...read,
    method: 'POST',
    id: 'backOffice.configuration.plan',
    path: `${path}/plan`,
    summary: 'Plan applying a configuration document',
    description:
      'Returns what applying the document would create, change, archive, and restore, without ' +
      'doing it. If the document has faults, the response lists all of them.',
    requestBody: { ...json('PlanConfiguration'), ...document },
    response: single('ConfigurationPlan'),
    also: [422],
  }),
  operation({
    ...publish,
    id: 'backOffice.configuration.apply',
    path: `${path}/apply`,
    summary: 'Apply a configuration document',
    description:
      'Publishes the content of the document, in one publication. Drafts stay drafts. Archived ' +
      'objects in the document are restored. Objects that the document does not name stay as they ' +
      'are, unless it has `"complete": true`: then they are archived. If nothing differs, nothing is ' +
      'published.',
    requestBody: { ...json('ApplyConfiguration'), ...document },
    response: single('AppliedConfiguration'),
    also: [409, 422],
  }),
  operation({
    ...write,
    id: 'backOffice.configuration.draft.apply',
    path: `${path}/draft/apply`,
    summary: 'Draft the content of a configuration document',
    description:
      'Drafts what `configuration.apply` would publish, all or nothing. Drafts keep their other ' +
      'fields. If a draft has another value for a field that the document changes, you get a 409 ' +
      'that lists these fields, unless `conflicts` says what to do.',
    requestBody: { ...json('DraftConfiguration'), ...document },
    response: single('ConfigurationDraft'),
    also: [409, 422],
  }),
  operation({
    ...read,
    id: 'backOffice.configuration.export',
    path: `${path}/export`,
    summary: 'Export the published configuration',
    description: 'Returns the published configuration as a document that you can apply.',
    query: {
      references: withDefault(
        choice(
          'How objects refer to each other: by guid, or by name where the name is unique.',
          ['guid', 'name'],
          { example: 'name' },
        ),
        'guid',
      ),
      archived: Type.Optional(
        flag('true: include all archived objects, not only those that other objects refer to.', {
          example: false,
        }),
      ),
    },
    response: single('ConfigurationDocument'),
  }),
] as const;

export const draftsOperations = [
  ...objectOperations,
  ...draftOperations,
  ...publicationOperations,
  ...fileOperations,
] as const;
