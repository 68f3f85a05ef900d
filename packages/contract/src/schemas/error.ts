import type { Static } from 'typebox';
import { answer, list, orNull, text, uuid, whole } from './field.ts';
import { Type } from './type.ts';

/** For everything but the declared statuses of credit cards (API-1). */
export interface ErrorMessage {
  status: number;
  code: number;
  message: string;
  messageKey: string | null;
  fieldName: string | null;
  link: string | null;
  requestId: string | null;
  developerMessage: string | null;
  errors: ErrorMessage[];
}

export const ErrorMessage = answer('What was wrong with a request, where, and what to do.', {
  status: whole('HTTP status code of the answer.'),
  code: whole('Number of the class of error; never zero, never reused.'),
  message: text('What was wrong, where, and what to do about it.'),
  messageKey: orNull(text('Reserved for future use.')),
  fieldName: orNull(text('Reserved for future use.')),
  link: orNull(text('Page that explains this class of error.', { format: 'uri' })),
  requestId: orNull(uuid('Identifier of this request, as in the request identifier header.')),
  developerMessage: orNull(text('More for the developer of the client, when there is more.')),
  errors: list(
    Type.Unsafe<ErrorMessage>(Type.Ref('ErrorMessage')),
    'One entry for each faulty place, when there are several; else empty.',
  ),
});

/** For the five declared statuses of credit cards (API-1). */
export const ServiceError = answer('Why a card authorization was not processed.', {
  description: text('What was wrong, in words for a person.'),
  detail: Type.Optional(
    orNull(
      text('Every violation that was found, when there is more to say; absent in production.'),
    ),
  ),
});
export type ServiceError = Static<typeof ServiceError>;
