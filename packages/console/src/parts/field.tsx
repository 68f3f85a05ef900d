import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

interface Described {
  readonly label: string;
  readonly hint?: string | undefined;
  /** What is wrong with the value; it stays as it was typed. */
  readonly fault?: string | null | undefined;
}

interface Typed extends Described {
  readonly value: string;
  readonly onValue: (value: string) => void;
}

/** What an input has that its label and what is said of it belong to. */
interface Belonging {
  readonly id: string;
  readonly 'aria-invalid': true | undefined;
  readonly 'aria-describedby': string | undefined;
}

interface LabeledProps extends Described {
  readonly children: (belonging: Belonging) => ComponentChildren;
}

function Labeled({ label, hint, fault, children }: LabeledProps) {
  const id = useId();
  const told = fault ?? hint;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        'aria-invalid': fault ? true : undefined,
        'aria-describedby': told ? `${id}-about` : undefined,
      })}
      {told && (
        <span
          id={`${id}-about`}
          class={fault ? 'fault' : 'hint'}
          role={fault ? 'alert' : undefined}
        >
          {told}
        </span>
      )}
    </div>
  );
}

type Input = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  | 'name'
  | 'autocomplete'
  | 'required'
  | 'inputmode'
  | 'autofocus'
  | 'min'
  | 'placeholder'
  | 'maxLength'
  | 'onFocus'
  | 'onChange'
> & {
  readonly type?: 'text' | 'email' | 'password' | 'search' | 'date' | 'time';
  /** The id of a datalist with values to choose from. */
  readonly list?: string;
};

export interface FieldProps extends Typed, Input {}

export function Field({ label, hint, fault, value, onValue, ...rest }: FieldProps) {
  // Which role an input has depends on its type; no caller sets one.
  const given = rest as InputHTMLAttributes<HTMLInputElement>;
  const input = useRef<HTMLInputElement>(null);
  // The browser itself does so only while it loads a page or opens a dialog.
  useEffect(() => {
    if (given.autofocus) input.current?.focus();
  }, []);
  return (
    <Labeled {...{ label, hint, fault }}>
      {(belonging) => (
        <input
          ref={input}
          {...given}
          {...belonging}
          value={value}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Labeled>
  );
}

/** A value with what people read of it. */
export type Option = readonly [value: string, label: string];

export interface SelectProps extends Typed {
  readonly options: readonly Option[];
}

export function Select({ value, onValue, options, ...about }: SelectProps) {
  return (
    <Labeled {...about}>
      {(belonging) => (
        <select
          {...belonging}
          value={value}
          onChange={(event) => onValue(event.currentTarget.value)}
        >
          {options.map(([each, label]) => (
            <option key={each} value={each}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Labeled>
  );
}

export interface TextAreaProps extends Typed {
  readonly rows?: number;
  /** For what programs read: letters of one width, and no help with spelling. */
  readonly isCode?: boolean;
  readonly isReadOnly?: boolean;
}

export function TextArea(props: TextAreaProps) {
  const { value, onValue, rows = 3, isCode = false, isReadOnly = false, ...about } = props;
  return (
    <Labeled {...about}>
      {(belonging) => (
        <textarea
          {...belonging}
          rows={rows}
          readOnly={isReadOnly}
          value={value}
          class={isCode ? 'mono' : undefined}
          spellcheck={!isCode}
          autocomplete="off"
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Labeled>
  );
}
