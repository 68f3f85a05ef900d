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
  status: whole('HTTP status code of the response.'),
  code: whole('Number of the error class. Never zero and never reused.'),
  message: text('What was wrong, where, and what to do about it.'),
  messageKey: orNull(text('Reserved for future use.')),
  fieldName: orNull(text('Reserved for future use.')),
  link: orNull(text('Page that explains this error class.', { format: 'uri' })),
  requestId: orNull(uuid('Identifier of this request, as in the request identifier header.')),
  developerMessage: orNull(text('More information for the developer of the client, if any.')),
  errors: list(
    Type.Unsafe<ErrorMessage>(Type.Ref('ErrorMessage')),
    'One entry for each invalid place, if there are several; otherwise empty.',
  ),
});

/** For the five declared statuses of credit cards (API-1). */
export const ServiceError = answer('Why a card authorization was not processed.', {
  description: text('What was wrong, in plain words.'),
  detail: Type.Optional(
    orNull(text('Every violation that was found, if there is more to say. Absent in production.')),
  ),
});
export type ServiceError = Static<typeof ServiceError>;
