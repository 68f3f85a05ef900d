import { partnerCollections } from '../collections.ts';
import { operation } from './operation.ts';
import { guid, lastModifiedAfter, pageTokenParameter } from './parameters.ts';

const common = {
  interface: 'configuration',
  method: 'GET',
  scope: 'config:read',
  restaurant: 'header',
} as const;

const listQuery = {
  pageToken: pageTokenParameter(
    'The value of the next page token header of the previous page. Leave it out for the ' +
      'first page.',
  ),
  lastModified: lastModifiedAfter(
    'Only objects created or changed after this time, with its offset, URL-encoded.',
  ),
};

export const configurationOperations = [
  ...partnerCollections.flatMap(({ name, object, tag }) => [
    operation({
      ...common,
      id: `configuration.${name}.list`,
      path: `/config/v2/${name}`,
      tag,
      summary: `List ${inWords(tag)}`,
      description:
        `Returns at most 300 ${object} objects, sorted by guid. The next page token header names ` +
        'the next page. The last page has no such header. If the configuration is published ' +
        'between two pages, you get a 409: start again with the first page.',
      query: listQuery,
      response: { schema: object, array: true, maxItems: 300 },
      headers: ['nextPageToken'],
      also: [409],
    }),
    operation({
      ...common,
      id: `configuration.${name}.get`,
      path: `/config/v2/${name}/{guid}`,
      tag,
      summary: `Get ${one(inWords(tag))}`,
      description: `Returns one ${object}. If it does not exist or is archived, you get a 404.`,
      params: { guid: guid('The object.') },
      response: { schema: object, array: false },
      also: [404],
    }),
  ]),
  operation({
    ...common,
    id: 'configuration.tipWithholding.get',
    path: '/config/v2/tipWithholding',
    tag: 'Tip Withholding',
    summary: 'Get the tip withholding',
    description: 'Returns the TipWithholding of the restaurant, even if it was never set.',
    response: { schema: 'TipWithholding', array: false },
  }),
] as const;

function inWords(tag: string): string {
  return tag.toLowerCase().replace(/^(no|pre) /, '$1-');
}

function one(things: string): string {
  const thing = things.replace(/ies$/, 'y').replace(/s$/, '');
  return `${/^[aeiou]/.test(thing) ? 'an' : 'a'} ${thing}`;
}
