import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

export interface Column<Row> {
  readonly id: string;
  readonly label: string;
  /** A CSS width; the others share what is left. */
  readonly width?: string;
  readonly isAtEnd?: boolean;
  /** Left out on a phone. */
  readonly isWideOnly?: boolean;
  readonly cell: (row: Row) => ComponentChildren;
}

export interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly onOpen?: (row: Row) => void;
  /** Called when the end comes into sight. */
  readonly onEnd?: () => void;
}

/** Rows beyond both edges of the window, so that scrolling shows no gap. */
const SPARE = 12;

/** Draws only the rows in sight, so that a hundred thousand cost as much as thirty. */
export function Table<Row>({ label, columns, rows, keyOf, onOpen, onEnd }: TableProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [span, setSpan] = useState({ first: 0, last: 60, height: 44 });
  const ended = useRef(onEnd);
  ended.current = onEnd;
  const { length } = rows;
  useLayoutEffect(() => {
    const look = () => {
      const top = body.current?.getBoundingClientRect().top ?? 0;
      const row = body.current?.querySelector<HTMLElement>('tr[data-row]');
      const height = row?.offsetHeight || 44;
      const first = Math.max(0, Math.floor(-top / height) - SPARE);
      const last = Math.ceil((innerHeight - top) / height) + SPARE;
      setSpan((before) =>
        before.first === first && before.last === last && before.height === height
          ? before
          : { first, last, height },
      );
      if (last >= length) ended.current?.();
    };
    look();
    addEventListener('scroll', look, { passive: true });
    addEventListener('resize', look);
    return () => {
      removeEventListener('scroll', look);
      removeEventListener('resize', look);
    };
  }, [length]);
  const first = Math.min(span.first, length);
  const last = Math.min(span.last, length);
  const space = (count: number) =>
    count > 0 && (
      <tr aria-hidden="true">
        <td class="space" style={{ height: `${count * span.height}px` }} />
      </tr>
    );
  return (
    <div class="table-frame">
      <table class="table" aria-label={label} aria-rowcount={length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <th
                key={column.id}
                scope="col"
                class={classOf(column)}
                style={column.width ? { width: column.width } : {}}
              >
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {space(first)}
          {rows.slice(first, last).map((row, index) => (
            <tr
              key={keyOf(row)}
              data-row
              aria-rowindex={first + index + 2}
              class={onOpen ? 'pressable' : undefined}
              onClick={(event) => {
                if (!(event.target as Element).closest('a, button')) onOpen?.(row);
              }}
            >
              {columns.map((column) => (
                <td key={column.id} class={classOf(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
          {space(length - last)}
        </tbody>
      </table>
    </div>
  );
}

function classOf({ isAtEnd, isWideOnly }: Pick<Column<never>, 'isAtEnd' | 'isWideOnly'>): string {
  return [isAtEnd ? 'end number' : '', isWideOnly ? 'wide-only' : ''].filter(Boolean).join(' ');
}
