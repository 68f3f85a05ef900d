import './once.css';
import { useId } from 'preact/hooks';
import { common } from '../messages.ts';
import { Button } from './button.tsx';
import { say, sayFailed } from './toast.tsx';

export interface OnceProps {
  readonly label: string;
  readonly value: string;
}

/** A secret that the platform can't show again, to copy. */
export function Once({ label, value }: OnceProps) {
  const id = useId();
  const copy = () => navigator.clipboard.writeText(value).then(() => say(common.copied), sayFailed);
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
        <Button icon="copy" onClick={copy}>
          {common.copy}
        </Button>
      </div>
    </div>
  );
}
