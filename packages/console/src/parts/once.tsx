import './once.css';
import { useId } from 'preact/hooks';
import { CopyButton } from './copy-button.tsx';

export interface OnceProps {
  readonly label: string;
  readonly value: string;
}

/** A secret that the platform can't show again, to copy. */
export function Once({ label, value }: OnceProps) {
  const id = useId();
  return (
    <div class="field once">
      <label for={id}>{label}</label>
      <div class="both">
        <input
          id={id}
          class="mono"
          readOnly
          value={value}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton text={value} />
      </div>
    </div>
  );
}
