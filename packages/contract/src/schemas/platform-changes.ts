import type { Static } from 'typebox';
import { publishedChangesAtMost } from './back-office-terms.ts';
import { answer, choice, dateTime, flag, line, list, text, uuid, whole } from './field.ts';

export const PublishedChange = answer('What a publication changed about one object for partners.', {
  publishNumber: whole('The publication.'),
  publishedAt: dateTime('When it was published.'),
  collection: line('Name of the collection, or `tipWithholding`.'),
  guid: uuid('The object.'),
  kind: choice(
    'CREATED: the object is new, or no longer archived. CHANGED: the object changed, or one that ' +
      'it refers to. REMOVED: the object is archived.',
    ['CREATED', 'CHANGED', 'REMOVED'],
  ),
});
export type PublishedChange = Static<typeof PublishedChange>;

export const PublishedChangePage = answer('One page of the changes of a configuration.', {
  results: list(PublishedChange, 'The changes, sorted by publication, collection, and GUID.', {
    maxItems: publishedChangesAtMost,
  }),
  nextCursor: text('Send this as after to get the changes that follow.'),
  hasMore: flag('Whether more changes are available now.'),
});
export type PublishedChangePage = Static<typeof PublishedChangePage>;
