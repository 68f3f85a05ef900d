/** What a partner is told of a connection (R7). */
export type PartnerEventType = 'partner_added' | 'partner_updated' | 'partner_removed';
