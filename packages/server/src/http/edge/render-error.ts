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

/** What rendering needs beside the error. */
export interface ErrorContext {
  /** Null when no operation has the method and path. */
  readonly operation: Operation | null;
  readonly path: string;
  readonly requestId: string;
  readonly baseUrl: string;
  /** True in a sandbox, where a ServiceError lists every violation in `detail` (PAY-11). */
  readonly isSandbox: boolean;
}

/** What could be a card number; whoever sent one to the wrong place must not read it in logs. */
const LONG_NUMBER = /[0-9]{13,}|(?:[0-9]{4} ){3}[0-9]+/g;

/** When what is unavailable is worth another try, in seconds: a database restarts in one or two. */
const RETRY_SECONDS = 2;

/** What the caller is told of a database that fails for now. */
const TROUBLE_TEXTS: Readonly<Record<Trouble, string>> = {
  away: 'The service cannot reach its database now. Send the request again in a few seconds.',
  unwritable:
    'The database of the service takes no writes now. Send the request again in a few seconds.',
  busy: 'The database of the service is too busy now. Send the request again in a few seconds.',
  unknown:
    'The connection to the database was lost before it said whether this was done. ' +
    'A read may be sent again; of a change read first what became of it, ' +
    'unless doing it twice does no harm.',
};

/** Any thrown value as an ApiError: what is not one already is ours to mend, and says only so. */
export function asApiError(thrown: unknown, requestId: string): ApiError {
  if (thrown instanceof ApiError) return thrown;
  const trouble = troubleOf(thrown);
  if (trouble) return new ApiError('unavailable', TROUBLE_TEXTS[trouble], { cause: thrown });
  return new ApiError(
    'internal',
    `Something went wrong on our side. Try again later; if it stays, report request ${requestId}.`,
    { cause: thrown },
  );
}

/**
 * The answer that tells the caller of the error, in the shape of the interface that was called. A
 * number as long as a card's is never repeated (PAY-I7).
 */
export function renderError(error: ApiError, context: ErrorContext): Answer {
  const { status } = errorClasses[error.errorClass];
  return { status, headers: headersOf(error, status), json: errorBody(error, status, context) };
}

function headersOf(error: ApiError, status: number): Readonly<Record<string, string>> {
  const retry = status === 503 ? { 'retry-after': String(RETRY_SECONDS) } : {};
  return { 'cache-control': 'no-store', ...retry, ...error.headers };
}

/** The same; of an error with thousands of faults (STK-5) the answer is written in parts. */
export async function renderErrorInTurns(error: ApiError, context: ErrorContext): Promise<Answer> {
  const { status } = errorClasses[error.errorClass];
  if (!takesTurns(error.faults) || errorSchema(context, status) !== 'ErrorMessage')
    return renderError(error, context);
  const { whole, ofFault } = errorMessages(error, status, context);
  const { errors: _none, ...message } = whole;
  const errors = await jsonListInTurns(error.faults, ofFault);
  const bytes = `${JSON.stringify(message).slice(0, -1)},"errors":${errors}}`;
  return { status, headers: headersOf(error, status), bytes };
}

function withoutLongNumbers<Text extends string | null>(text: Text): Text {
  return (text === null ? null : text.replaceAll(LONG_NUMBER, '[number]')) as Text;
}

function errorBody(error: ApiError, status: number, context: ErrorContext): object {
  const schema = errorSchema(context, status);
  if (schema === 'OAuthError') return oauthError(error, status);
  if (schema === 'ServiceError') return serviceError(error, context.isSandbox);
  const { whole, ofFault } = errorMessages(error, status, context);
  return { ...whole, errors: error.faults.map(ofFault) };
}

/** The shape of an error (API-1); without an operation, that of the interface of the path's prefix. */
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

/** The message of an error, without its faults, and what makes that of each fault. */
function errorMessages(error: ApiError, status: number, context: ErrorContext) {
  const { code } = errorClasses[error.errorClass];
  const message = (text: string, developerMessage: string | null): ErrorMessage => ({
    status,
    code,
    message: withoutLongNumbers(text),
    messageKey: null,
    fieldName: null,
    link: `${context.baseUrl}/errors/${code}`,
    requestId: context.requestId,
    developerMessage: withoutLongNumbers(developerMessage),
    errors: [],
  });
  return {
    whole: message(error.message, error.developerMessage),
    ofFault: (fault: Fault) => message(`${fault.where}: ${fault.message}`, null),
  };
}

function oauthError(error: ApiError, status: number): OAuthError {
  const code = error.oauthCode ?? (status >= 500 ? 'server_error' : 'invalid_request');
  // RFC 6749 leaves the double quote out of what a description may hold.
  return { error: code, error_description: withoutLongNumbers(error.message).replaceAll('"', "'") };
}
