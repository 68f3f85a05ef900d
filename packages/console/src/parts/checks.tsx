import './checks.css';
import { useId } from 'preact/hooks';

export interface CheckProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isOn: boolean) => void;
}

export function Check({ label, hint, isOn, isDisabled = false, onChange }: CheckProps) {
  const id = useId();
  return (
    <label class="check" for={id}>
      <input
        id={id}
        type="checkbox"
        checked={isOn}
        disabled={isDisabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>
        {label}
        {hint && <span class="under soft small">{hint}</span>}
      </span>
    </label>
  );
}

export interface ChecksProps {
  readonly label: string;
  readonly fault?: string | null | undefined;
  readonly options: readonly (readonly [value: string, label: string, hint?: string])[];
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (chosen: ReadonlySet<string>) => void;
}

/** Some of many, each in words. */
export function Checks({ label, fault, options, chosen, onChoose }: ChecksProps) {
  const id = useId();
  return (
    <fieldset class="checks" aria-describedby={fault ? `${id}-about` : undefined}>
      <legend>{label}</legend>
      {options.map(([value, text, hint]) => (
        <Check
          key={value}
          label={text}
          hint={hint}
          isOn={chosen.has(value)}
          onChange={(isOn) => {
            const next = new Set(chosen);
            if (isOn) next.add(value);
            else next.delete(value);
            onChoose(next);
          }}
        />
      ))}
      {fault && (
        <span id={`${id}-about`} class="fault" role="alert">
          {fault}
        </span>
      )}
    </fieldset>
  );
}
