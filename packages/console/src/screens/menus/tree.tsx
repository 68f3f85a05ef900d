import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Row, Rows } from './rows.ts';

export interface TreeProps {
  readonly label: string;
  readonly rows: Rows;
  /** The object that is open beside the tree. */
  readonly chosen: string | null;
  readonly onChoose: (row: Row) => void;
  readonly onToggle: (row: Row) => void;
  /** Called with the rows in sight whenever they change. */
  readonly onSight: (rows: readonly Row[]) => void;
  /** Called when the end comes into sight. */
  readonly onEnd?: (() => void) | undefined;
  readonly children: (row: Row) => ComponentChildren;
}

/** Rows beyond both edges, so that scrolling shows no gap. */
const SPARE = 10;

/** Draws only the rows in sight: 50,000 cost as much as thirty. Arrows move, Enter opens. */
export function Tree(props: TreeProps) {
  const { label, rows, chosen, onChoose, onToggle, onSight, onEnd, children } = props;
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const [span, setSpan] = useState({ first: 0, last: 30, height: 44 });
  const [activeKey, setActiveKey] = useState<string | null>(null);
  const { length } = rows;
  const found = activeKey === null ? 0 : rows.indexOf(activeKey);
  const active = Math.min(Math.max(found, 0), length - 1);
  const look = () => {
    const element = frame.current;
    if (!element) return;
    const height = element.querySelector<HTMLElement>('[role=treeitem]')?.offsetHeight || 44;
    const first = Math.max(0, Math.floor(element.scrollTop / height) - SPARE);
    const last = Math.ceil((element.scrollTop + element.clientHeight) / height) + SPARE;
    setSpan((before) =>
      before.first === first && before.last === last && before.height === height
        ? before
        : { first, last, height },
    );
  };
  useLayoutEffect(() => {
    look();
    addEventListener('resize', look);
    return () => removeEventListener('resize', look);
  }, []);
  const first = Math.min(span.first, Math.max(0, length - 1));
  const last = Math.min(span.last, length);
  const shown = Array.from({ length: Math.max(0, last - first) }, (_, index) =>
    rows.at(first + index),
  );
  useLayoutEffect(() => {
    look();
    onSight(shown.filter((row) => row !== null));
    if (span.last >= length) onEnd?.();
  }, [rows, span]);
  const go = (at: number) => {
    const index = Math.min(Math.max(at, 0), length - 1);
    const row = rows.at(index);
    const element = frame.current;
    if (!row || !element) return;
    setActiveKey(row.key);
    const top = index * span.height;
    if (top < element.scrollTop) element.scrollTop = top;
    const bottom = top + span.height - element.clientHeight;
    if (bottom > element.scrollTop) element.scrollTop = bottom;
    look();
  };
  const press = (event: KeyboardEvent) => {
    const row = rows.at(active);
    if (!row || event.altKey || event.ctrlKey || event.metaKey) return;
    const page = Math.max(1, Math.floor((frame.current?.clientHeight ?? 0) / span.height) - 1);
    const steps: Readonly<Record<string, () => void>> = {
      ArrowDown: () => go(active + 1),
      ArrowUp: () => go(active - 1),
      PageDown: () => go(active + page),
      PageUp: () => go(active - page),
      Home: () => go(0),
      End: () => go(length - 1),
      ArrowRight: () => (row.isOpen === false ? onToggle(row) : row.isOpen && go(active + 1)),
      ArrowLeft: () => (row.isOpen ? onToggle(row) : go(parentOf(rows, active))),
      Enter: () => onChoose(row),
      ' ': () => onChoose(row),
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    step();
  };
  return (
    <div
      ref={frame}
      class={rows.isFlat ? 'tree flat' : 'tree'}
      role="tree"
      aria-label={label}
      aria-activedescendant={length > 0 ? `${id}-${active}` : undefined}
      tabIndex={0}
      onScroll={look}
      onKeyDown={press}
    >
      <div role="none" class="tree-rows" style={{ height: `${length * span.height}px` }}>
        {shown.map((row, index) => {
          if (!row) return null;
          const at = first + index;
          const isChosen = `${row.collection}/${row.guid}` === chosen;
          return (
            <div
              key={row.key}
              id={`${id}-${at}`}
              role="treeitem"
              tabIndex={-1}
              class={at === active ? 'tree-row active' : 'tree-row'}
              aria-level={row.level}
              aria-setsize={row.setSize}
              aria-posinset={row.position}
              aria-expanded={row.isOpen ?? undefined}
              aria-selected={isChosen}
              style={{
                transform: `translateY(${at * span.height}px)`,
                '--level': String(row.level - 1),
              }}
              onClick={(event) => {
                setActiveKey(row.key);
                frame.current?.focus({ preventScroll: true });
                const isToggle = (event.target as Element).closest('.tree-toggle') !== null;
                if (isToggle && row.isOpen !== null) onToggle(row);
                else onChoose(row);
              }}
            >
              <span class={row.isOpen === null ? 'tree-toggle none' : 'tree-toggle'} aria-hidden />
              {children(row)}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function parentOf(rows: Rows, at: number): number {
  const { key } = rows.at(at) ?? { key: '' };
  const end = key.lastIndexOf('/');
  return end < 0 ? at : rows.indexOf(key.slice(0, end));
}
