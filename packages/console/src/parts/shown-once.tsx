import './shown-once.css';
import { common } from '../messages.ts';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { Dialog } from './dialog.tsx';

export interface ShownOnceProps {
  readonly title: string;
  /** That it can't be shown again, and where it belongs. */
  readonly text: string;
  /** What there is to copy, by its name. */
  readonly values: Readonly<Record<string, string>>;
  readonly done: string;
  readonly onClose: () => void;
}

/** A secret on its only way to a person: only the button leads on, so that no stray click loses it. */
export function ShownOnce({ title, text, values, done, onClose }: ShownOnceProps) {
  return (
    <Dialog title={title} isWide>
      <p>{text}</p>
      {Object.entries(values).map(([name, value]) => (
        <div key={name} class="shown-once">
          <span class="soft small">{name}</span>
          <code>{value}</code>
          <CopyButton text={value}>
            {common.copy}
            <span class="visually-hidden"> {name}</span>
          </CopyButton>
        </div>
      ))}
      <div class="actions">
        <Button kind="main" onClick={onClose}>
          {done}
        </Button>
      </div>
    </Dialog>
  );
}
