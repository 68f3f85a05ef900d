import { line, uuid } from '../schemas/field.ts';
import { Type } from '../schemas/type.ts';
import { prefix, single } from './back-office-parts.ts';
import { operation } from './operation.ts';

const about = {
  method: 'GET',
  tag: 'Who am I',
  response: single('WhoAmI'),
  query: {
    operation: Type.Optional(
      line(
        'Also check whether a call to this operation would be refused. The operation is not ' +
          'called, nothing changes, and only this request counts against your rate limit.',
        { example: 'stock.update' },
      ),
    ),
    restaurantGuid: Type.Optional(
      uuid('The restaurant of the call; required for operations on a restaurant.', {
        example: '3f2b8c1e-5d47-4a9b-8e60-7c1d2f9a4b35',
      }),
    ),
  },
} as const;

const description =
  'Returns who sent the request, what they can do now, and where. Requires no scope. If you send ' +
  'operation, it also checks whether a call to that operation would be refused because of the ' +
  'type of the caller, the restaurant, or the scope, and returns the error message. A call that ' +
  'passes can still be refused because of its content.';

export const whoamiOperations = [
  operation({
    ...about,
    interface: 'backOffice',
    id: 'backOffice.whoami',
    path: `${prefix}/whoami`,
    summary: 'Identify the caller',
    description,
  }),
  operation({
    ...about,
    interface: 'platform',
    id: 'platform.whoami',
    path: '/platform/v1/whoami',
    summary: 'Identify the client',
    description,
  }),
] as const;
