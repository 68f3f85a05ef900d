import { publishedChangesAtMost } from '../schemas/back-office-terms.ts';
import { whole, withDefault } from '../schemas/field.ts';
import { single } from './back-office-parts.ts';
import { operation } from './operation.ts';
import { pageTokenParameter } from './parameters.ts';

export const platformChangesOperations = [
  operation({
    id: 'platform.changes.list',
    interface: 'platform',
    method: 'GET',
    path: '/platform/v1/changes',
    tag: 'Changes',
    summary: 'List the changes of a configuration',
    description:
      'Returns the objects that each publication created, changed, and removed in the ' +
      'configuration interface, the oldest publication first. To get the changes that follow, send ' +
      'nextCursor as `after`. If nothing is new, the page is empty and the cursor stays the same.',
    scope: 'config:read',
    restaurant: 'header',
    query: {
      after: pageTokenParameter(
        'nextCursor of an earlier page. Leave it out to start at the first publication.',
      ),
      pageSize: withDefault(
        whole('Changes per page.', { minimum: 1, maximum: publishedChangesAtMost, example: 100 }),
        300,
      ),
    },
    response: single('PublishedChangePage'),
  }),
] as const;
