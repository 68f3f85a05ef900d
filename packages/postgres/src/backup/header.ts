import { BACKUP_FORMAT, type BackupHeader } from './format.ts';

type Unknown = Readonly<Record<string, unknown>>;

/** Whether the first line of a backup has the form of a header. The trailer proves its content. */
export function isHeader<Facts>(
  value: unknown,
  isFacts: (value: unknown) => value is Facts,
): value is BackupHeader<Facts> {
  if (!isObject(value) || value.format !== BACKUP_FORMAT) return false;
  const { facts, migrations, tables, attachments, leftOut } = value;
  return (
    Number.isInteger(value.version) &&
    hasTexts(value, 'id', 'createdAt', 'program', 'postgres', 'keyCheck') &&
    !Number.isNaN(Date.parse(value.createdAt as string)) &&
    isFacts(facts) &&
    isListOf(migrations, (one) => hasTexts(one, 'fileName', 'checksum')) &&
    isListOf(tables, (one) => hasTexts(one, 'name') && isListOf(one.columns, isText)) &&
    isListOf(attachments, isText) &&
    isListOf(leftOut, isText)
  );
}

function hasTexts(value: unknown, ...names: readonly string[]): value is Unknown {
  return isObject(value) && names.every((name) => isText(value[name]));
}

function isListOf(value: unknown, is: (one: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(is);
}

function isObject(value: unknown): value is Unknown {
  return typeof value === 'object' && value !== null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
