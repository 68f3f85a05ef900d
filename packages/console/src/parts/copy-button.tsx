import type { ComponentChildren } from 'preact';
import { common } from '../messages.ts';
import { Button } from './button.tsx';
import { say, sayFailed } from './toast.tsx';

export interface CopyButtonProps {
  readonly text: string;
  /** What is said then. */
  readonly done?: string;
  readonly children?: ComponentChildren;
}

export function CopyButton(props: CopyButtonProps) {
  const { text, done = common.copied, children = common.copy } = props;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      say(done);
    } catch (error) {
      sayFailed(error);
    }
  };
  return (
    <Button icon="copy" onClick={copy}>
      {children}
    </Button>
  );
}
