import { parseGuid } from '@servery/support/ids.ts';
import {
  readFutureInstant,
  readKnownFields,
  readNeededWords,
  readOptionalWords,
} from '../../http/body-fields.ts';
import { ApiError } from '../../http/errors.ts';
import type { Fields } from '../../http/fields.ts';
import type { ClientDraft, ClientEdit, NextSecretDraft } from '../managed-client.ts';

const NAME_LENGTH = 100;
const DESCRIPTION_LENGTH = 1_000;
const LABEL_LENGTH = 100;
/** More than there are; a longer list is a mistake. */
const SCOPES_AT_MOST = 100;

const clientTypes = ['PARTNER', 'CUSTOMER', 'BACK_OFFICE'] as const;

/** Reads the body that makes an account. Throws what `readKnownFields` throws. */
export function readNewClient(body: unknown, nowMs: number): ClientDraft {
  return readKnownFields(body, (fields) => ({
    name: readNeededWords(fields, 'name', NAME_LENGTH),
    description: readOptionalWords(fields, 'description', DESCRIPTION_LENGTH) ?? null,
    type: fields.choice('type', clientTypes),
    partnerGuid: readGuid(fields, 'partnerGuid'),
    managementGroupGuid: readGuid(fields, 'managementGroupGuid'),
    scopes: fields.texts('scopes', SCOPES_AT_MOST),
    holdsLegacyCardKey: fields.lacks('holdsLegacyCardKey')
      ? false
      : fields.flag('holdsLegacyCardKey'),
    secret: readSecret(fields.optionalObject('secret'), nowMs),
  }));
}

/** Reads the body that edits an account: what is left out stays. */
export function readClientEdit(body: unknown): ClientEdit {
  return readKnownFields(body, (fields) => {
    const description = readOptionalWords(fields, 'description', DESCRIPTION_LENGTH);
    return {
      ...(fields.lacks('name') ? {} : { name: readNeededWords(fields, 'name', NAME_LENGTH) }),
      ...(description === undefined ? {} : { description }),
      ...(fields.lacks('scopes') ? {} : { scopes: fields.texts('scopes', SCOPES_AT_MOST) }),
      ...(fields.lacks('holdsLegacyCardKey')
        ? {}
        : { holdsLegacyCardKey: fields.flag('holdsLegacyCardKey') }),
    };
  });
}

/** Reads the body that adds a secret. Throws what `readKnownFields` throws. */
export function readNextSecret(body: unknown, nowMs: number): NextSecretDraft {
  return readKnownFields(body, (fields) => ({
    ...readSecret(fields, nowMs),
    othersExpireAtMs: readFutureInstant(fields, 'othersExpireAt', nowMs),
  }));
}

/** The first and the last day that are asked about, as `yyyy-MM-dd`. Throws `badRequest`. */
export function readDays(
  query: Readonly<Record<string, string | undefined>>,
  nowMs: number,
): { readonly from: string; readonly to: string } {
  const toMs = query.to === undefined ? nowMs - (nowMs % DAY_MS) : readDay('to', query.to);
  const fromMs =
    query.from === undefined ? toMs - (DEFAULT_DAYS - 1) * DAY_MS : readDay('from', query.from);
  const days = (toMs - fromMs) / DAY_MS + 1;
  if (days >= 1 && days <= DAYS_AT_MOST) return { from: dayText(fromMs), to: dayText(toMs) };
  throw new ApiError('badRequest', `from must be at most ${DAYS_AT_MOST - 1} days before to.`);
}

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const DAYS_AT_MOST = 400;

function readDay(name: string, text: string): number {
  const dayMs = /^[1-9]\d{3}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  // Date.parse rolls 30 February over into March.
  if (!Number.isNaN(dayMs) && dayText(dayMs) === text) return dayMs;
  throw new ApiError('badRequest', `${name} must be a day such as 2026-01-31.`);
}

function dayText(dayMs: number): string {
  return new Date(dayMs).toISOString().slice(0, 10);
}

function readSecret(fields: Fields | null, nowMs: number): ClientDraft['secret'] {
  if (!fields) return { label: null, expiresAtMs: null };
  return {
    label: readOptionalWords(fields, 'label', LABEL_LENGTH) ?? null,
    expiresAtMs: readFutureInstant(fields, 'expiresAt', nowMs),
  };
}

function readGuid(fields: Fields, name: string): string | null {
  const text = fields.optionalText(name);
  if (text === null) return null;
  const guid = parseGuid(text);
  if (guid === null) fields.fault(name, 'must be a GUID');
  return guid;
}
