import { DOCUMENT_FORMAT, type GroupDocument } from '../../backoffice/group-document/document.ts';
import { profileConnection, profilePartners } from './partners.ts';

const RESTAURANT = 'The Empty Plate';

/** The profile `empty`: one restaurant that has nothing in it yet, to be filled by an import. */
export function emptyGroupDocument(): GroupDocument {
  return {
    format: DOCUMENT_FORMAT,
    managementGroup: { name: 'Empty Plate Restaurants' },
    partners: profilePartners,
    clients: [],
    restaurants: [
      { info: { general: { name: RESTAURANT, timeZone: 'America/Denver', currencyCode: 'USD' } } },
    ],
    connections: [profileConnection(RESTAURANT)],
  };
}
