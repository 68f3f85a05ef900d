import { collections } from '../collections.ts';
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
    'The next page token header of the page before; the first page without it.',
  ),
  lastModified: lastModifiedAfter(
    'Only objects made or changed after this time, with its offset, URL-encoded.',
  ),
};

export const configurationOperations = [
  ...collections.flatMap(({ name, object, tag }) => [
    operation({
      ...common,
      id: `configuration.${name}.list`,
      path: `/config/v2/${name}`,
      tag,
      summary: `List ${tag.toLowerCase()}`,
      description:
        `Answers at most 300 ${object} objects, by guid. The next page token header names the ` +
        'following page and is absent on the last one. A publication of the configuration ' +
        'between two pages is a 409: start again with the first page.',
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
      summary: `Get one of the ${tag.toLowerCase()}`,
      description: `Answers one ${object}, or 404 when there is none or it was archived.`,
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
    description: 'Answers the one TipWithholding of the restaurant, also when it was never set.',
    response: { schema: 'TipWithholding', array: false },
  }),
] as const;
