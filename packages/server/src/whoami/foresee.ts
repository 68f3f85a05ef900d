import {
  brandedHeaders,
  errorClasses,
  type ForeseenCall,
  type ForeseenRefusal,
  type Operation,
  operations,
  type RequestOf,
} from '@servery/contract';
import { ApiError } from '../http/errors.ts';
import type { Faults } from '../http/faults.ts';
import type { Access, Caller } from '../http/operation.ts';
import { admit } from '../http/pipeline/admit.ts';
import { isHidden } from '../http/pipeline/pipeline.ts';
import { unknownOperation } from '../text/unknown-operation.ts';

export interface ForeseeDeps {
  readonly access: Access;
  readonly config: {
    readonly brand: string;
    readonly kind: 'sandbox' | 'production';
  };
}

/**
 * Runs the pipeline's own checks and charges nothing. Null when no call is asked about. Throws
 * ApiError `badRequest` for an unknown or missing operation, or one that lacks its restaurant.
 */
export async function foresee(
  deps: ForeseeDeps,
  caller: Caller,
  query: RequestOf<'backOffice.whoami'>['query'],
  faults: Faults,
): Promise<ForeseenCall | null> {
  if (query.operation === undefined && query.restaurantGuid === undefined) return null;
  const isSandbox = deps.config.kind === 'sandbox';
  const known = operations.filter((each) => !isHidden({ isSandbox }, each));
  const operation = known.find((each) => each.id === query.operation);
  if (query.operation === undefined) {
    faults.addMissing(['operation'], 'is missing: name the operation to check');
  } else if (!operation) {
    const ids = known.map(({ id }) => id);
    faults.add(['operation'], unknownOperation(query.operation, ids));
  } else if (operation.restaurant !== 'none' && query.restaurantGuid === undefined) {
    const message = `is missing: ${operation.id} works on one restaurant, so name it`;
    faults.addMissing(['restaurantGuid'], message);
  }
  faults.refuse();
  if (!operation) return null;
  const { id, method, path, scope, restaurant } = operation;
  const restaurantGuid = restaurant === 'none' ? null : (query.restaurantGuid ?? null);
  const refusal = await refusalOf(deps, { caller, operation, restaurantGuid });
  return { operation: id, method, path, scope, restaurantGuid, refusal };
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
      // The call isn't made, so nobody pays for it.
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
