import type { HandlersOf } from '../../http/operation.ts';
import type { Metrics } from '../../support/metrics.ts';

export const metricsHandlers = (metrics: Metrics): HandlersOf<'backOffice.metrics'> => ({
  'backOffice.metrics': async () => ({
    bytes: await metrics.text(),
    headers: { 'content-type': metrics.mediaType },
  }),
});
