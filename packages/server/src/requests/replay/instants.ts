const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;

export function isInstant(value: unknown): value is string {
  return typeof value === 'string' && INSTANT.test(value);
}
