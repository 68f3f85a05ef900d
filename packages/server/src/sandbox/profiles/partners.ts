import type { DocumentConnection, DocumentPartner } from '../../group-document/document.ts';

/** Fixed, so that every machine gets the same. */
export const PUBLISHED = '2026-01-12T09:00:00.000Z';

export const profilePartners: readonly DocumentPartner[] = [
  { name: 'Connected Partner' },
  { name: 'Unconnected Partner' },
];

export function profileConnection(restaurant: string): DocumentConnection {
  return {
    partner: 'Connected Partner',
    restaurant,
    createdDate: PUBLISHED,
    modifiedDate: PUBLISHED,
  };
}
