import {
  DOCUMENT_FORMAT,
  type DocumentRestaurant,
  type GroupDocument,
} from '../../group-document/document.ts';

/** Fixed, so that every sandbox gets the same pages. */
export const PUBLISHED = '2026-01-12T09:00:00.000Z';

/** A group with one restaurant, a connected partner and an unconnected one. */
export function oneRestaurant(
  groupName: string,
  name: string,
  parts: Omit<DocumentRestaurant, 'info'> = {},
): GroupDocument {
  const dates = { createdDate: PUBLISHED, modifiedDate: PUBLISHED };
  return {
    format: DOCUMENT_FORMAT,
    managementGroup: { name: groupName },
    partners: [{ name: 'Connected Partner' }, { name: 'Unconnected Partner' }],
    clients: [],
    restaurants: [
      { info: { general: { name, timeZone: 'America/Denver', currencyCode: 'USD' } }, ...parts },
    ],
    connections: [{ partner: 'Connected Partner', restaurant: name, ...dates }],
  };
}
