import {
  type ErrorMessage,
  errorClasses,
  errorSchemaName,
  interfaces,
  type OAuthError,
  type Operation,
  type ServiceError,
  serviceErrorStatuses,
  standardDoorsPrefix,
} from '@servery/contract';
import { type Trouble, troubleOf } from '@servery/postgres/away.ts';
import { ApiError, type Fault } from '../errors.ts';
import { jsonListInTurns, takesTurns } from '../list-in-turns.ts';
import type { Answer } from '../operation.ts';

export interface ErrorContext {
  readonly operation: Operation | null;
  readonly path: string;
  readonly requestId: string;
  readonly baseUrl: string;
  readonly isSandbox: boolean;
  /** Whether the page of an error explains this request. */
  readonly isExplained?: boolean;
}

/** May be a card number; error texts end up in logs. */
const LONG_NUMBER = /[0-9]{13,}|(?:[0-9]{4} ){3}[0-9]+/g;

const RETRY_SECONDS = 2;
/** The document is large, and its readers are in no hurry. */
const MENUS_RETRY_SECONDS = 5;

const TROUBLE_TEXTS: Readonly<Record<Trouble, string>> = {
  away: 'The service cannot reach its database now. Send the request again in a few seconds.',
  unwritable:
    'The database of the service accepts no writes now. Send the request again in a few seconds.',
  busy: 'The database of the service is too busy now. Send the request again in a few seconds.',
  unknown:
    'The connection to the database was lost before it confirmed the result. You ' +
    'can repeat a read. Before you repeat a change, check whether it was made, unless ' +
    'repeating it does no harm.',
};

/** Hides the details of everything that is not an ApiError. */
export function asApiError(thrown: unknown, requestId: string): ApiError {
  if (thrown instanceof ApiError) return thrown;
  const trouble = troubleOf(thrown);
  if (trouble) return new ApiError('unavailable', TROUBLE_TEXTS[trouble], { cause: thrown });
  return new ApiError(
    'internal',
    `Something went wrong on our side. Try again later. If the problem persists, report request ${requestId}.`,
    { cause: thrown },
  );
}

/** Never repeats a number as long as a card's (PAY-I7). */
export function renderError(error: ApiError, context: ErrorContext): Answer {
  const { status } = errorClasses[error.errorClass];
  return {
    status,
    headers: headersOf(error, status, context),
    json: errorBody(error, status, context),
  };
}

function headersOf(
  error: ApiError,
  status: number,
  { operation }: ErrorContext,
): Readonly<Record<string, string>> {
  const seconds = operation?.interface === 'menus' ? MENUS_RETRY_SECONDS : RETRY_SECONDS;
  const retry = status === 503 ? { 'retry-after': String(seconds) } : {};
  return { 'cache-control': 'no-store', ...retry, ...error.headers };
}

/** Writes an answer with thousands of faults (STK-5) in parts. */
export async function renderErrorInTurns(error: ApiError, context: ErrorContext): Promise<Answer> {
  const { status } = errorClasses[error.errorClass];
  if (!takesTurns(error.faults) || errorSchema(context, status) !== 'ErrorMessage')
    return renderError(error, context);
  const { whole, ofFault } = errorMessages(error, context);
  const { errors: _none, ...message } = whole;
  const errors = await jsonListInTurns(error.faults, ofFault);
  const bytes = `${JSON.stringify(message).slice(0, -1)},"errors":${errors}}`;
  return { status, headers: headersOf(error, status, context), bytes };
}

function withoutLongNumbers<Text extends string | null>(text: Text): Text {
  return (text === null ? null : text.replaceAll(LONG_NUMBER, '[number]')) as Text;
}

function errorBody(error: ApiError, status: number, context: ErrorContext): object {
  const schema = errorSchema(context, status);
  if (schema === 'OAuthError') return oauthError(error, status);
  if (schema === 'ServiceError') return serviceError(error, context.isSandbox);
  const { whole, ofFault } = errorMessages(error, context);
  return { ...whole, errors: error.faults.map(ofFault) };
}

/** Without an operation, the prefix of the path chooses the interface (API-1). */
function errorSchema({ operation, path }: ErrorContext, status: number): string {
  if (operation) return errorSchemaName(operation, status);
  if (path.startsWith(standardDoorsPrefix)) return 'OAuthError';
  const isCreditCards = path.startsWith(`${interfaces.creditCards.prefix}/`);
  return isCreditCards && serviceErrorStatuses.includes(status) ? 'ServiceError' : 'ErrorMessage';
}

function serviceError(error: ApiError, isSandbox: boolean): ServiceError {
  const description = withoutLongNumbers(error.message);
  if (!isSandbox) return { description };
  const lines = error.faults.map((fault) => `${fault.where}: ${fault.message}`);
  const detail = lines.length > 0 ? lines.join('\n') : error.developerMessage;
  return detail === null ? { description } : { description, detail: withoutLongNumbers(detail) };
}

function errorMessages(error: ApiError, context: ErrorContext) {
  const query = context.isExplained ? `?request=${context.requestId}` : '';
  const message = (
    text: string,
    developerMessage: string | null,
    errorClass = error.errorClass,
  ): ErrorMessage => {
    const { status, code } = errorClasses[errorClass];
    return {
      status,
      code,
      message: withoutLongNumbers(text),
      messageKey: null,
      fieldName: null,
      link: `${context.baseUrl}/errors/${code}${query}`,
      requestId: context.requestId,
      developerMessage: withoutLongNumbers(developerMessage),
      errors: [],
    };
  };
  return {
    whole: message(error.message, error.developerMessage),
    ofFault: (fault: Fault) => message(`${fault.where}: ${fault.message}`, null, fault.errorClass),
  };
}

function oauthError(error: ApiError, status: number): OAuthError {
  const code = error.oauthCode ?? (status >= 500 ? 'server_error' : 'invalid_request');
  // RFC 6749 allows no double quote in a description.
  return { error: code, error_description: withoutLongNumbers(error.message).replaceAll('"', "'") };
}
