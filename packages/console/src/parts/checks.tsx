import './checks.css';
import { useId } from 'preact/hooks';

export interface CheckProps {
  readonly label: string;
  /** For people who hear the page: what the label is about. */
  readonly about?: string;
  readonly hint?: string | undefined;
  readonly fault?: string | null | undefined;
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isOn: boolean) => void;
}

export function Check(props: CheckProps) {
  const { label, about, hint, fault, isOn, isDisabled = false, onChange } = props;
  const id = useId();
  return (
    <label class="check" for={id}>
      <input
        id={id}
        type="checkbox"
        checked={isOn}
        disabled={isDisabled}
        aria-label={about && `${about}: ${label}`}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>
        {label}
        {fault ? (
          <span class="under fault">{fault}</span>
        ) : (
          hint && <span class="under soft small">{hint}</span>
        )}
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
