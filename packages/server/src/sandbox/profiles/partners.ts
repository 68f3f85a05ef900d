import type { DocumentConnection, DocumentPartner } from '../../group-document/document.ts';

/** When the generated profiles were published: the same on every machine. */
export const PUBLISHED = '2026-01-12T09:00:00.000Z';

/** The two partners of a generated profile: one is connected, the other is not. */
export const profilePartners: readonly DocumentPartner[] = [
  { name: 'Connected Partner' },
  { name: 'Unconnected Partner' },
];

/** The connection of the first partner to the only restaurant. */
export function profileConnection(restaurant: string): DocumentConnection {
  return {
    partner: 'Connected Partner',
    restaurant,
    createdDate: PUBLISHED,
    modifiedDate: PUBLISHED,
  };
}
