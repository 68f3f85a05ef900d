import { ApiError } from '../../http/errors.ts';
import { Fields, Findings, isJsonObject } from '../../http/fields.ts';

/**
 * The instant of a body `{"now"}` in epoch milliseconds, from any ISO 8601 text with an offset or
 * `Z`. Throws ApiError `badRequest` when it is missing and `unprocessable` when it is none.
 */
export function readNow(body: unknown): number {
  const what = 'must be an instant such as 2026-01-31T18:30:00.000Z';
  return readField(body, 'now', what, (text) => Temporal.Instant.from(text).epochMilliseconds);
}

/**
 * The duration of a body `{"duration"}`, over zero and in whole milliseconds. Throws ApiError
 * `badRequest` when it is missing and `unprocessable` when it is none.
 */
export function readDuration(body: unknown): Temporal.Duration {
  const what =
    'must be a duration of ISO 8601 over zero, such as PT5M or P1DT2H, in whole milliseconds';
  return readField(body, 'duration', what, (text) => {
    const duration = Temporal.Duration.from(text);
    const isWhole = duration.microseconds === 0 && duration.nanoseconds === 0;
    return duration.sign === 1 && isWhole ? duration : null;
  });
}

/** Reads a text that `parse` understands; what it cannot read gives null or a RangeError. */
function readField<Value>(
  body: unknown,
  name: string,
  what: string,
  parse: (text: string) => Value | null,
): Value {
  if (!isJsonObject(body)) {
    throw new ApiError('unprocessable', `The body must be a JSON object: send {"${name}"}.`);
  }
  const findings = new Findings();
  const fields = new Fields(body, '', findings);
  const text = fields.text(name);
  let value: Value | null = null;
  try {
    value = parse(text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  if (findings.missing.length + findings.invalid.length === 0 && value === null) {
    fields.fault(name, what);
  }
  const [fault] = [...findings.missing, ...findings.invalid];
  if (!fault && value !== null) return value;
  throw new ApiError(
    findings.missing.length > 0 ? 'badRequest' : 'unprocessable',
    `${name} ${fault?.message ?? what}.`,
    { faults: fault ? [fault] : [] },
  );
}
