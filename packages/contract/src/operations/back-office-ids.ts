/** Operations of the back office without a session or token: they lead to one. */
export type PublicBackOfficeOperationId =
  | 'backOffice.sessions.begin'
  | `backOffice.invitations.${'page' | 'inspect' | 'accept'}`;

/** Operations of the back office for a person who logged in, about himself alone. */
export type SessionOperationId =
  | `backOffice.session.${'get' | 'end'}`
  | `backOffice.me.sessions.${'list' | 'end'}`
  | 'backOffice.me.password.change'
  | `backOffice.me.totp.${'begin' | 'confirm' | 'remove'}`;

/** Operations of the back office that work on no particular restaurant. */
export type BackOfficeOperationId =
  | 'backOffice.configuration.publishGroup'
  | 'backOffice.payments.list'
  | `backOffice.clock.${'get' | 'freeze' | 'run' | 'set' | 'advance' | 'next'}`
  | `backOffice.cardKeys.${'list' | 'issue' | 'activate' | 'retire' | 'destroy'}`
  | 'backOffice.alarms.list'
  | 'backOffice.alarms.acknowledge'
  | 'backOffice.metrics'
  | `backOffice.audit.${'list' | 'export' | 'verify'}`
  | `backOffice.requests.${'list' | 'get' | 'stream'}`
  | `backOffice.managementGroups.${'list' | 'create' | 'get' | 'update'}`
  | `backOffice.managementGroups.${'archive' | 'unarchive'}`
  | `backOffice.restaurants.${'list' | 'create'}`
  | `backOffice.people.${'list' | 'create' | 'get' | 'update'}`
  | `backOffice.people.${'deactivate' | 'reactivate' | 'invite' | 'removeTotp'}`
  | `backOffice.people.roles.${'give' | 'take'}`
  | `backOffice.partners.${'list' | 'create' | 'get' | 'update' | 'connections' | 'events'}`
  | `backOffice.clients.${'list' | 'create' | 'get' | 'update' | 'usage'}`
  | `backOffice.clients.${'addSecret' | 'revokeSecret' | 'revoke'}`
  | `backOffice.webhooks.endpoints.${'list' | 'create' | 'get' | 'update' | 'archive'}`
  | `backOffice.webhooks.endpoints.${'pause' | 'resume' | 'disable'}`
  | `backOffice.webhooks.secrets.${'add' | 'revoke'}`
  | `backOffice.webhooks.deliveries.${'list' | 'get' | 'drop'}`
  | `backOffice.webhooks.${'test' | 'replay' | 'trigger'}`
  | 'backOffice.whoami';

/** Operations of the back office that work on the restaurant in the path. */
export type BackOfficeRestaurantOperationId =
  | `backOffice.configuration.objects.${'list' | 'create' | 'get' | 'update'}`
  | `backOffice.configuration.objects.${'archive' | 'unarchive' | 'discard'}`
  | `backOffice.configuration.tipWithholding.${'get' | 'set'}`
  | `backOffice.configuration.draft.${'get' | 'discard' | 'preview'}`
  | `backOffice.configuration.publications.${'list' | 'publish' | 'get' | 'rollBack'}`
  | `backOffice.configuration.${'plan' | 'apply' | 'export'}`
  | `backOffice.restaurants.${'get' | 'update' | 'archive' | 'unarchive'}`
  | `backOffice.payments.${'get' | 'events' | 'apply' | 'fulfil' | 'void' | 'capture'}`
  | `backOffice.stock.${'list' | 'set' | 'history' | 'undo' | 'ranOut'}`
  | `backOffice.connections.${'list' | 'partners' | 'connect' | 'get'}`
  | `backOffice.connections.${'update' | 'disconnect' | 'timeline'}`;
