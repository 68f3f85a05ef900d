import { DOCUMENT_FORMAT, type GroupDocument } from '../../group-document/document.ts';
import { profileConnection, profilePartners } from './partners.ts';

export const EMPTY_GROUP_NAME = 'Empty Plate Restaurants';

const RESTAURANT = 'The Empty Plate';

export function emptyGroupDocument(): GroupDocument {
  return {
    format: DOCUMENT_FORMAT,
    managementGroup: { name: EMPTY_GROUP_NAME },
    partners: profilePartners,
    clients: [],
    restaurants: [
      { info: { general: { name: RESTAURANT, timeZone: 'America/Denver', currencyCode: 'USD' } } },
    ],
    connections: [profileConnection(RESTAURANT)],
  };
}
