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
      'Returns every published menu in one document, with all prices, tax rates, and inherited ' +
      'values resolved. By default, each client can read the menus of a restaurant once per ' +
      'second. To avoid needless reads, check the metadata first, and send If-None-Match.',
    response: { schema: 'MenusDocument', array: false },
  }),
  operation({
    ...common,
    id: 'menus.getMetadata',
    path: '/menus/v2/metadata',
    summary: 'Find out when the published menus last changed',
    description:
      'Returns the time at which the menus last changed. It changes only when the document that ' +
      'menus.get returns changes.',
    response: { schema: 'MenusMetadata', array: false },
  }),
] as const;
