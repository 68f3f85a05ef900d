import type { TSchema } from 'typebox';
import { backOfficePageSizeAtMost } from './back-office-terms.ts';
import { list, orNull, text } from './field.ts';

export const pageOf = <Item extends TSchema>(item: Item, description: string) => ({
  results: list(item, description, { maxItems: backOfficePageSizeAtMost }),
  nextPageToken: orNull(text('Token of the next page; null on the last page.')),
});
