import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

export interface TabsProps {
  readonly label: string;
  readonly tabs: readonly (readonly [id: string, label: string])[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
  readonly children: ComponentChildren;
}

export function Tabs({ label, tabs, chosen, onChoose, children }: TabsProps) {
  const base = useId();
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const at = tabs.findIndex(([id]) => id === chosen);
    const [next] = tabs[(at + step + tabs.length) % tabs.length] ?? [chosen];
    onChoose(next);
    document.getElementById(`${base}-${next}`)?.focus();
  };
  return (
    <div class="stack">
      <div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map(([id, text]) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${base}-${id}`}
            aria-selected={id === chosen}
            aria-controls={`${base}-panel`}
            tabIndex={id === chosen ? 0 : -1}
            onClick={() => onChoose(id)}
          >
            {text}
          </button>
        ))}
      </div>
      <div id={`${base}-panel`} role="tabpanel" aria-labelledby={`${base}-${chosen}`} class="stack">
        {children}
      </div>
    </div>
  );
}
