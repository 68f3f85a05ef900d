import { ApiError } from '../../http/errors.ts';
import type { OperationHandlers } from '../../http/operation.ts';
import type { Metrics } from '../../support/metrics.ts';

/** The operation of the back office that monitoring reads. */
export function metricsHandlers(metrics: Metrics): Pick<OperationHandlers, 'backOffice.metrics'> {
  return {
    'backOffice.metrics': async ({ reach }) => {
      if (!reach.isPlatform) throw ofWholePlatform();
      const bytes = await metrics.text();
      return { bytes, headers: { 'content-type': metrics.mediaType } };
    },
  };
}

function ofWholePlatform(): ApiError {
  return new ApiError(
    'forbidden',
    'Metrics count what happens on the whole platform, and this client is of one management ' +
      'group: use an account of the platform.',
  );
}
