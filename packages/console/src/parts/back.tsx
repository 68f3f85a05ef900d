import type { ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';

export interface BackProps {
  readonly href: string;
  readonly children: ComponentChildren;
}

export function Back({ href, children }: BackProps) {
  return (
    <a class="back" href={href}>
      <Icon name="back" />
      {children}
    </a>
  );
}
