import { useId } from 'preact/hooks';

export interface TextAreaProps {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly hint?: string | undefined;
  readonly fault?: string | null | undefined;
  readonly rows?: number;
  readonly maxLength?: number;
  /** For what programs read: letters of one width, and no help with spelling. */
  readonly isCode?: boolean;
  readonly isReadOnly?: boolean;
}

export function TextArea(props: TextAreaProps) {
  const {
    label,
    value,
    onValue,
    hint,
    fault,
    rows = 3,
    maxLength,
    isCode = false,
    isReadOnly = false,
  } = props;
  const id = useId();
  const told = fault ?? hint;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        rows={rows}
        readOnly={isReadOnly}
        value={value}
        class={isCode ? 'mono' : undefined}
        spellcheck={!isCode}
        autocomplete="off"
        {...(maxLength !== undefined && { maxLength })}
        aria-invalid={fault ? true : undefined}
        aria-describedby={told ? `${id}-about` : undefined}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
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
