/** Operations of the back office without a session or token: they lead to one. */
export type PublicBackOfficeOperationId = never;

/** Operations of the back office that work on no particular restaurant. */
export type BackOfficeOperationId =
  | 'backOffice.payments.list'
  | `backOffice.clock.${'get' | 'freeze' | 'run' | 'set' | 'advance' | 'next'}`
  | `backOffice.cardKeys.${'list' | 'issue' | 'activate' | 'retire' | 'destroy'}`
  | 'backOffice.alarms.list'
  | 'backOffice.alarms.acknowledge'
  | 'backOffice.metrics';

/** Operations of the back office that work on the restaurant in the path. */
export type BackOfficeRestaurantOperationId =
  `backOffice.payments.${'get' | 'events' | 'apply' | 'fulfil' | 'void' | 'capture'}`;
