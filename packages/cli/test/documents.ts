import type { GroupDocument } from '../../server/src/group-document/document.ts';

/** A small group with one restaurant that a partner is connected to. */
export const smallGroup = (name: string): GroupDocument => ({
  format: 'servery.group/1',
  managementGroup: { name },
  partners: [{ name: `${name} Courier` }],
  clients: [
    {
      clientId: `${name.toLowerCase()}-courier`,
      name: 'Courier account',
      userAccessType: 'PARTNER',
      partner: `${name} Courier`,
      scopes: ['config:read', 'stock:read'],
    },
  ],
  restaurants: [
    {
      info: { general: { name: `${name} Grill`, timeZone: 'Europe/Rome', currencyCode: 'EUR' } },
      configuration: { menuItems: [{ name: 'Bistecca' }, { name: 'Caffè 🍰' }] },
      stock: [{ item: 'Bistecca', status: 'QUANTITY', quantity: 2.5 }],
    },
  ],
  connections: [{ partner: `${name} Courier`, restaurant: `${name} Grill` }],
});
