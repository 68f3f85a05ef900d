export type FieldKind =
  | 'text'
  | 'words'
  | 'whole'
  | 'decimal'
  | 'money'
  /** A fraction, which people see in percent. */
  | 'share'
  | 'flag'
  | 'choice'
  | 'choices'
  | 'time'
  | 'reference'
  | 'references'
  | 'object'
  | 'list';

/** One field of a form, as the contract has it. */
export interface FormField {
  /** Empty for the elements of a list. */
  readonly name: string;
  readonly kind: FieldKind;
  readonly hint?: string;
  readonly isNullable?: true;
  readonly isRequired?: true;
  readonly maxLength?: number;
  readonly choices?: readonly string[];
  /** What the contract says of each choice. */
  readonly words?: Readonly<Record<string, string>>;
  /** The collection that a reference leads to. */
  readonly target?: string;
  readonly fields?: readonly FormField[];
  readonly of?: FormField;
  /** What it is at first, if that is not empty. */
  readonly initial?: unknown;
}

export interface CollectionForm {
  readonly fields: readonly FormField[];
}

/** Put here when the console is built: see form-fields.ts. */
declare const FORM_FIELDS: Readonly<Record<string, CollectionForm>>;

export const forms = FORM_FIELDS;
