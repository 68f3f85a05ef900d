import type { Static } from 'typebox';
import { answer, choice, decimal, line, list, orNull, request, text, uuid } from './field.ts';
import { Type } from './type.ts';

/** STK-8. */
export const stockElementsAtMost = 5000;

const limit = { maxItems: stockElementsAtMost };

export const stockStatuses = ['IN_STOCK', 'QUANTITY', 'OUT_OF_STOCK'] as const;

export const MenuItemInventory = answer('Stock of one menu item at one restaurant.', {
  guid: orNull(uuid('The item. Null only when an unknown multiLocationId was asked for.')),
  multiLocationId: orNull(
    text(
      'Shared by all versions of an item that several locations offer. Null only when an ' +
        'unknown guid was asked for.',
    ),
  ),
  versionId: orNull(uuid('Reserved for future use; equals guid.')),
  status: choice(
    'IN_STOCK: no limit. QUANTITY: limited, what remains is in quantity. OUT_OF_STOCK: the item ' +
      'cannot be selected for an order.',
    stockStatuses,
  ),
  quantity: orNull(
    decimal('Portions that remain when status is QUANTITY; null for the other two.', {
      exclusiveMinimum: 0,
    }),
  ),
  itemGuidValidity: choice(
    'VALID: a live item of this restaurant. INVALID: the identifier of the request matches none.',
    ['VALID', 'INVALID'],
    { readOnly: true },
  ),
});
export type MenuItemInventory = Static<typeof MenuItemInventory>;

/** Clients echo what they read, so every field of `MenuItemInventory` may appear (STK-6, STK-7). */
export const MenuItemInventoryUpdate = request(
  'New stock of one menu item, named by guid, by multiLocationId, or by both when they agree.',
  {
    guid: Type.Optional(orNull(uuid('The item.'))),
    multiLocationId: Type.Optional(
      orNull(line('Shared by all versions of an item that several locations offer.')),
    ),
    versionId: Type.Optional(orNull(line('Reserved for future use; ignored.'))),
    status: choice('The status to set.', stockStatuses),
    quantity: Type.Optional(
      orNull(
        decimal(
          'Portions that remain: required with QUANTITY and then greater than 0, at most 12 ' +
            'digits before and 4 after the point; left out or null with the other two.',
          { minimum: 0 },
        ),
      ),
    ),
    itemGuidValidity: Type.Optional(orNull(line('Only answered; ignored when sent.'))),
  },
  ['versionId', 'itemGuidValidity'],
);
export type MenuItemInventoryUpdate = Static<typeof MenuItemInventoryUpdate>;

/** Needs at least one of the first two lists (STK-2). */
export const InventorySearchRequest = request(
  'Items to look up: by guids, by multiLocationIds, or both.',
  {
    guids: Type.Optional(orNull(list(uuid('An item.'), 'Items by GUID, answered first.', limit))),
    multiLocationIds: Type.Optional(
      orNull(
        list(line('An item.'), 'Items by multi-location identifier, answered after guids.', limit),
      ),
    ),
    versionIds: Type.Optional(
      orNull(list(uuid('An item version.'), 'Reserved for future use; ignored.', limit)),
    ),
  },
  ['versionIds'],
);
export type InventorySearchRequest = Static<typeof InventorySearchRequest>;
