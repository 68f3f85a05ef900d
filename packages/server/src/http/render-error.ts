import { type ErrorMessage, errorClasses, type ServiceError } from '@servery/contract';
import { ApiError } from './errors.ts';
import type { Answer } from './operation.ts';

/** How the called interface writes its errors (decisions C1; `OAuth` is RFC 6749, 5.2). */
export type ErrorShape = 'ErrorMessage' | 'ServiceError' | 'OAuth';

/** What rendering needs beside the error. */
export interface ErrorContext {
  readonly shape: ErrorShape;
  readonly requestId: string;
  readonly baseUrl: string;
  /** True in a sandbox, where a ServiceError lists every violation in `detail` (P11). */
  readonly explains: boolean;
}

/** The five statuses that the credit card interface declares with ServiceError (C1). */
const SERVICE_ERROR_STATUSES = new Set([400, 404, 409, 422, 500]);

/** Any thrown value as an ApiError: what is not one already is ours to mend, and says only so. */
export function asApiError(thrown: unknown, requestId: string): ApiError {
  if (thrown instanceof ApiError) return thrown;
  return new ApiError(
    'internal',
    `Something went wrong on our side. Try again later; if it stays, report request ${requestId}.`,
    { cause: thrown },
  );
}

/** The answer that tells the caller of the error, in the shape of the interface that was called. */
export function renderError(error: ApiError, context: ErrorContext): Answer {
  const { status } = errorClasses[error.errorClass];
  const headers = { 'cache-control': 'no-store', ...error.headers };
  return { status, headers, json: errorBody(error, status, context) };
}

function errorBody(error: ApiError, status: number, context: ErrorContext): unknown {
  if (context.shape === 'OAuth') return oauthError(error, status);
  if (context.shape === 'ServiceError' && SERVICE_ERROR_STATUSES.has(status)) {
    return serviceError(error, context.explains);
  }
  return errorMessage(error, status, context);
}

function serviceError(error: ApiError, explains: boolean): ServiceError {
  if (!explains) return { description: error.message };
  const lines = error.faults.map((fault) => `${fault.where}: ${fault.message}`);
  const detail = lines.length > 0 ? lines.join('\n') : error.developerMessage;
  return { description: error.message, detail };
}

function errorMessage(error: ApiError, status: number, context: ErrorContext): ErrorMessage {
  const { code } = errorClasses[error.errorClass];
  const message = (text: string, developerMessage: string | null): ErrorMessage => ({
    status,
    code,
    message: text,
    messageKey: null,
    fieldName: null,
    link: `${context.baseUrl}/errors/${code}`,
    requestId: context.requestId,
    developerMessage,
    errors: [],
  });
  return {
    ...message(error.message, error.developerMessage),
    errors: error.faults.map((fault) => message(`${fault.where}: ${fault.message}`, null)),
  };
}

function oauthError(error: ApiError, status: number): object {
  const code = status >= 500 ? 'server_error' : 'invalid_request';
  return { error: code, error_description: error.message };
}
