import { operation } from './operation.ts';

const common = {
  interface: 'menus',
  tag: 'Menus',
  method: 'GET',
  restaurant: 'header',
  scope: 'menus:read',
  // No menu is published (MENU-6).
  also: [404],
} as const;

export const menuOperations = [
  operation({
    ...common,
    id: 'menus.get',
    path: '/menus/v2/menus',
    summary: 'Get all published menus of a restaurant',
    description:
      'Returns every published menu in one document, with all prices, tax rates and inherited ' +
      'values resolved. It has a rate limit of its own: one request per second for each client ' +
      'and restaurant by default. Look at the metadata first, and send If-None-Match.',
    response: { schema: 'MenusDocument', array: false },
  }),
  operation({
    ...common,
    id: 'menus.getMetadata',
    path: '/menus/v2/metadata',
    summary: 'Find out when the published menus changed last',
    description:
      'Returns a time that changes whenever the document of the menus changes, and only then.',
    response: { schema: 'MenusMetadata', array: false },
  }),
] as const;
