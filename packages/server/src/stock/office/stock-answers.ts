import type { Subject } from '../../freshness/subjects.ts';
import type { Answers } from '../../http/fast/cached-answer.ts';
import type { ListDeps } from '../../http/page.ts';

/** For lists that are cached, because the tablets of a kitchen ask again every few seconds. */
export interface CachedListDeps extends ListDeps {
  readonly answers: Answers;
}

/** What lists of the stock of a restaurant depend on: names of items, clients and people, too. */
export const subjectsOf = (restaurantGuid: string): readonly Subject[] => [
  `stock:${restaurantGuid}`,
  `configuration:${restaurantGuid}`,
  'names:all',
];
