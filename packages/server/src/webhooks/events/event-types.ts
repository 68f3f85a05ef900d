/** What a partner is told of a connection (PTN-7). */
export type PartnerEventType = 'partner_added' | 'partner_updated' | 'partner_removed';
