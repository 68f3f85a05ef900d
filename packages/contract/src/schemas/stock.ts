import type { Static } from 'typebox';
import { answer, choice, decimal, line, list, orNull, request, text, uuid } from './field.ts';
import { Type } from './type.ts';

/** STK-8. */
export const stockElementsAtMost = 5000;

const limit = { maxItems: stockElementsAtMost };

export const stockStatuses = ['IN_STOCK', 'QUANTITY', 'OUT_OF_STOCK'] as const;

export const MenuItemInventory = answer('Stock of one menu item at one restaurant.', {
  guid: orNull(uuid('The item. Null only if the request named an unknown multiLocationId.')),
  multiLocationId: orNull(
    text(
      'Shared by all versions of an item that is offered at several locations. Null only ' +
        'if the request named an unknown guid.',
    ),
  ),
  versionId: orNull(uuid('Reserved for future use; equals guid.')),
  status: choice(
    'IN_STOCK: no limit. QUANTITY: limited; quantity holds what remains. OUT_OF_STOCK: ' +
      'the item cannot be selected for an order.',
    stockStatuses,
  ),
  quantity: orNull(
    decimal('Remaining portions if status is QUANTITY; null for other statuses.', {
      exclusiveMinimum: 0,
    }),
  ),
  itemGuidValidity: choice(
    'VALID: a live item of this restaurant. INVALID: the identifier in the request ' +
      'matches none.',
    ['VALID', 'INVALID'],
    { readOnly: true },
  ),
});
export type MenuItemInventory = Static<typeof MenuItemInventory>;

/** Clients echo what they read, so every field of `MenuItemInventory` may appear (STK-6, STK-7). */
export const MenuItemInventoryUpdate = request(
  'New stock of one menu item, named by guid, by multiLocationId, or by both if they ' + 'agree.',
  {
    guid: Type.Optional(orNull(uuid('The item.'))),
    multiLocationId: Type.Optional(
      orNull(line('Shared by all versions of an item that is offered at several locations.')),
    ),
    versionId: Type.Optional(orNull(line('Reserved for future use; ignored.'))),
    status: choice('The status to set.', stockStatuses),
    quantity: Type.Optional(
      orNull(
        decimal(
          'Remaining portions. Required with QUANTITY: greater than 0, with at most 12 digits ' +
            'before and 4 after the decimal point. Null or left out with other statuses.',
          { minimum: 0, '~must': 'be a number greater than 0' },
        ),
      ),
    ),
    itemGuidValidity: Type.Optional(orNull(line('Returned only; ignored if you send it.'))),
  },
  ['versionId', 'itemGuidValidity'],
);
export type MenuItemInventoryUpdate = Static<typeof MenuItemInventoryUpdate>;

/** Needs at least one of the first two lists (STK-2). */
export const InventorySearchRequest = request(
  'Items to look up: by guids, by multiLocationIds, or both.',
  {
    guids: Type.Optional(orNull(list(uuid('An item.'), 'Items by GUID, returned first.', limit))),
    multiLocationIds: Type.Optional(
      orNull(
        list(line('An item.'), 'Items by multi-location identifier, returned after guids.', limit),
      ),
    ),
    versionIds: Type.Optional(
      orNull(list(uuid('An item version.'), 'Reserved for future use; ignored.', limit)),
    ),
  },
  ['versionIds'],
);
export type InventorySearchRequest = Static<typeof InventorySearchRequest>;
