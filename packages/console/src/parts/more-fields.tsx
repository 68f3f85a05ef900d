import './more-fields.css';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface Described {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly fault?: string | null | undefined;
}

export interface TextAreaProps extends Described {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly rows?: number;
  readonly maxLength?: number;
  readonly isCode?: boolean;
  readonly isReadOnly?: boolean;
}

/** A text of several lines. */
export function TextArea(props: TextAreaProps) {
  const { label, hint, fault, value, onValue, rows = 3, maxLength } = props;
  const { isCode = false, isReadOnly = false } = props;
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        class={isCode ? 'mono' : undefined}
        rows={rows}
        maxLength={maxLength}
        readOnly={isReadOnly}
        spellcheck={!isCode}
        value={value}
        aria-invalid={fault ? true : undefined}
        aria-describedby={fault || hint ? `${id}-about` : undefined}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
      <About id={`${id}-about`} hint={hint} fault={fault} />
    </div>
  );
}

export interface CheckProps extends Described {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** Yes or no, with the whole line to press. */
export function Check({ label, hint, fault, isOn, onChange }: CheckProps) {
  const id = useId();
  return (
    <div class="check">
      <label>
        <input
          type="checkbox"
          checked={isOn}
          aria-describedby={fault || hint ? `${id}-about` : undefined}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        <span>{label}</span>
      </label>
      <About id={`${id}-about`} hint={hint} fault={fault} />
    </div>
  );
}

function About({ id, hint, fault }: Omit<Described, 'label'> & { readonly id: string }) {
  const told: ComponentChildren = fault ?? hint;
  return told ? (
    <span id={id} class={fault ? 'fault' : 'hint'} role={fault ? 'alert' : undefined}>
      {told}
    </span>
  ) : null;
}
