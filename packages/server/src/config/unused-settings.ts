import { type SettingName, settings } from './settings.ts';

type Values = Partial<Record<SettingName, unknown>>;

/**
 * A setting without effect is a fault: the listener or limit that it describes would silently be
 * missing.
 */
export function unusedSettings(values: Values, kind: 'sandbox' | 'production'): string[] {
  const { tlsCert, tlsKey, tlsDev, velocityLimits, traceUrl } = values;
  const hasTls = tlsCert !== undefined || tlsKey !== undefined || tlsDev === true;
  const forTls =
    kind === 'production'
      ? 'SERVERY_TLS_CERT and SERVERY_TLS_KEY'
      : 'SERVERY_TLS_CERT and SERVERY_TLS_KEY, or SERVERY_TLS_DEV=yes';
  // Limits that are turned off explicitly keep their numbers for later.
  const countsPayments = velocityLimits !== undefined || kind === 'production';
  const limits = (Object.keys(settings) as SettingName[]).filter(
    (name) => name.startsWith('velocityPer') && values[name] !== null,
  );
  const rules: readonly [names: readonly SettingName[], isUsed: boolean, needs: string][] = [
    [['tlsPort', 'tlsHost'], hasTls, forTls],
    [limits, countsPayments, 'SERVERY_VELOCITY_LIMITS=on'],
    [['tracePercent'], traceUrl !== undefined, 'SERVERY_TRACE_URL'],
  ];
  return rules.flatMap(([names, isUsed, needs]) =>
    names
      .filter((name) => !isUsed && values[name] !== undefined)
      .map((name) => {
        const { env } = settings[name];
        return `${env} has no effect without ${needs}: set that too, or leave ${env} out.`;
      }),
  );
}
