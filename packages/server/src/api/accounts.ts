export { systemOrigin } from '../audit/origin.ts';
export { findClient, listClients } from '../clients/client-store.ts';
export { addSecret, createClient, newClientId } from '../clients/clients.ts';
export { recordClientChange } from '../clients/record-client.ts';
export { revokeAccount } from '../clients/revoke-account.ts';
export { makeLinkOnMachine, NoLink } from '../people/first-operator.ts';
export { invitationUrl } from '../people/invitations.ts';
export { listGroupsCalled } from '../restaurants/write-store.ts';
export { readEmail } from '../text/email.ts';
