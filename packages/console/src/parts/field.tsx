import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { useId } from 'preact/hooks';

interface Described {
  readonly label: string;
  readonly hint?: string | undefined;
  /** What is wrong with the value; it stays as it was typed. */
  readonly fault?: string | null | undefined;
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
> & {
  readonly type?: 'text' | 'email' | 'password' | 'search' | 'date' | 'time';
  /** The id of a datalist with values to choose from. */
  readonly list?: string;
};

export interface FieldProps extends Described, Input {
  readonly value: string;
  readonly onValue: (value: string) => void;
}

export function Field({ label, hint, fault, value, onValue, ...rest }: FieldProps) {
  const id = useId();
  // Which role an input has depends on its type; no caller sets one.
  const given = rest as InputHTMLAttributes<HTMLInputElement>;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...given}
        id={id}
        value={value}
        aria-invalid={fault ? true : undefined}
        aria-describedby={fault || hint ? `${id}-about` : undefined}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
      <About id={`${id}-about`} hint={hint} fault={fault} />
    </div>
  );
}

export interface SelectProps extends Described {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

export function Select({ label, hint, fault, value, onValue, options }: SelectProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        aria-describedby={fault || hint ? `${id}-about` : undefined}
        onChange={(event) => onValue(event.currentTarget.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <About id={`${id}-about`} hint={hint} fault={fault} />
    </div>
  );
}

function About({ id, hint, fault }: Pick<Described, 'hint' | 'fault'> & { readonly id: string }) {
  const told: ComponentChildren = fault ?? hint;
  return told ? (
    <span id={id} class={fault ? 'fault' : 'hint'} role={fault ? 'alert' : undefined}>
      {told}
    </span>
  ) : null;
}
