import {
  brandedHeaders,
  errorClasses,
  type ForeseenCall,
  type ForeseenRefusal,
  type Operation,
  operations,
} from '@servery/contract';
import { parseGuid } from '@servery/support/ids.ts';
import { ApiError } from '../http/errors.ts';
import type { Access, Caller, PublicRequest } from '../http/operation.ts';
import { admit } from '../http/pipeline/admit.ts';

/** What foreseeing a refusal leans on: the rules by which calls are let in. */
export interface ForeseeDeps {
  readonly access: Access;
  readonly config: {
    /** What the restaurant header is called by. */
    readonly brand: string;
    readonly kind: 'sandbox' | 'production';
  };
}

/**
 * Tells whether a call of `operation` about `restaurantGuid`, both parameters of `query`, would be
 * refused because of who calls, the restaurant, the scope or where that is held; null when no call
 * is asked about. It goes by the checks of the pipeline itself, and charges nothing. Throws
 * ApiError `badRequest` for an operation that does not exist, and for a restaurant that is missing
 * or no GUID.
 */
export async function foresee(
  deps: ForeseeDeps,
  caller: Caller,
  query: PublicRequest['query'],
): Promise<ForeseenCall | null> {
  if (query.operation === undefined) {
    if (query.restaurantGuid === undefined) return null;
    throw new ApiError('badRequest', 'operation is missing: say what is to be done there.');
  }
  const operation = operations.find(({ id }) => id === query.operation);
  if (!operation) {
    throw new ApiError(
      'badRequest',
      'operation must be the id of an operation, such as stock.update: the OpenAPI documents and ' +
        'docs/reference list them.',
    );
  }
  const restaurantGuid = readRestaurant(operation, query.restaurantGuid);
  const { id, method, path, scope } = operation;
  const refusal = await refusalOf(deps, { caller, operation, restaurantGuid });
  return { operation: id, method, path, scope, restaurantGuid, refusal };
}

function readRestaurant({ id, restaurant }: Operation, text: string | undefined): string | null {
  const guid = text === undefined ? null : parseGuid(text);
  if (text !== undefined && guid === null) {
    throw new ApiError('badRequest', 'restaurantGuid must be a GUID.');
  }
  if (restaurant === 'none') return null;
  if (guid !== null) return guid;
  throw new ApiError(
    'badRequest',
    `restaurantGuid is missing: ${id} works on one restaurant, so say on which.`,
  );
}

interface Asked {
  readonly caller: Caller;
  readonly operation: Operation;
  readonly restaurantGuid: string | null;
}

async function refusalOf(
  { access, config: { brand, kind } }: ForeseeDeps,
  { caller, operation, restaurantGuid }: Asked,
): Promise<ForeseenRefusal | null> {
  if (operation.security === 'none') return null;
  const header = brandedHeaders(brand).restaurantExternalId.toLowerCase();
  const guid = restaurantGuid ?? '';
  try {
    await admit(
      // The call is not made: nobody pays for it.
      { brand, access, isSandbox: kind === 'sandbox', chargeAddress: async () => {} },
      {
        caller,
        operation,
        raw: { headers: { [header]: guid } },
        params: { merchantUuid: guid, restaurantGuid: guid, restaurantGUID: guid },
        query: {},
      },
    );
    return null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { status, code } = errorClasses[error.errorClass];
    return { status, code, message: error.message };
  }
}
