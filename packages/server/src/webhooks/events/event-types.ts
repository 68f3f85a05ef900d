export type PartnerEventType = 'partner_added' | 'partner_updated' | 'partner_removed';
