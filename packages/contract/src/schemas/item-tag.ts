import type { Static } from 'typebox';
import { line } from './field.ts';
import { referenced } from './reference.ts';

export const ItemTag = referenced('ItemTag', 'A name that marks items, for example Vegetarian.', {
  name: line('Name of the tag.'),
});
export type ItemTag = Static<typeof ItemTag>;
