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
        'Also tell whether a call of this operation would be refused. It is not called, nothing is ' +
          'changed, and no budget but that of this request is charged.',
        { example: 'stock.update' },
      ),
    ),
    restaurantGuid: Type.Optional(
      uuid('The restaurant that the call would name; needed for operations that work on one.', {
        example: '3f2b8c1e-5d47-4a9b-8e60-7c1d2f9a4b35',
      }),
    ),
  },
} as const;

const description =
  'Answers whose access token the request came with, what it may do and where, by what the ' +
  'platform knows at this moment. It needs no scope. With an operation it also tells whether a ' +
  'call would be refused because of the kind of caller, the restaurant or the scope, in the ' +
  'words of that refusal; a call that passes may still be refused for what it carries.';

/** What tells callers who they are: one door for partner clients, one for the back office. */
export const whoamiOperations = [
  operation({
    ...about,
    interface: 'backOffice',
    id: 'backOffice.whoami',
    path: `${prefix}/whoami`,
    summary: 'Tell who is asking',
    description,
  }),
  operation({
    ...about,
    interface: 'platform',
    id: 'platform.whoami',
    path: '/platform/v1/whoami',
    summary: 'Tell which client is asking',
    description,
  }),
] as const;
