import type { OperationHandlers } from '../../http/operation.ts';
import type { Metrics } from '../../support/metrics.ts';

/** The operation of the back office that monitoring reads. */
export function metricsHandlers(metrics: Metrics): Pick<OperationHandlers, 'backOffice.metrics'> {
  return {
    'backOffice.metrics': async () => {
      const bytes = await metrics.text();
      return { bytes, headers: { 'content-type': metrics.mediaType } };
    },
  };
}
