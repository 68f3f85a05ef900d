import './bars.css';
import { useState } from 'preact/hooks';
import { charts as texts } from '../messages.ts';
import { formatCount } from '../platform/format.ts';
import type { Tone } from './told.tsx';

export interface BarSeries {
  readonly name: string;
  readonly tone: Tone;
}

export interface BarPoint {
  readonly name: string;
  /** By series; null where nothing is known. */
  readonly values: readonly (number | null)[];
}

export interface BarsProps {
  readonly label: string;
  /** What the points are, for example days. */
  readonly of: string;
  /** The first one stands on the ground, and each other one on those before it. */
  readonly series: readonly BarSeries[];
  /** Each series stands on the ground, the later ones behind. */
  readonly isOverlaid?: boolean;
  readonly points: readonly BarPoint[];
  readonly format?: (value: number) => string;
  /** The number of now, in large type; null if it is not known. */
  readonly now?: string | null;
}

const STEP = 10;
const HEIGHT = 96;
const GAP = 2;

/**
 * Numbers over time as bars. The list below tells those of the last point, or of the one that the
 * pointer or the arrow keys choose.
 */
export function Bars(props: BarsProps) {
  const { label, of, series, points, isOverlaid = false, format = formatCount, now } = props;
  const [chosen, setChosen] = useState<number | null>(null);
  const heights = points.map(({ values }) => heightsOf(values, isOverlaid));
  const most = Math.max(...heights.flat());
  const last = points.length - 1;
  const at = Math.min(chosen ?? last, last);
  const shown = points[at];
  const tell = (value: number | null | undefined) =>
    value === null || value === undefined ? texts.unknown : format(value);
  const choose = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = (currentTarget as Element).getBoundingClientRect();
    setChosen(Math.max(0, Math.min(last, Math.floor(((clientX - left) / width) * points.length))));
  };
  const move = (event: KeyboardEvent) => {
    const places: Readonly<Record<string, number>> = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      Home: 0,
      End: last,
    };
    const place = places[event.key];
    if (place === undefined) return;
    event.preventDefault();
    setChosen(Math.max(0, Math.min(last, place)));
  };
  return (
    <figure class="bars">
      <figcaption class="spread small">
        <span>{label}</span>
        {most > 0 && <span class="soft number">{texts.most(format(most))}</span>}
      </figcaption>
      {now !== undefined && <strong class="now number">{now ?? texts.unknown}</strong>}
      <div
        role="slider"
        tabIndex={0}
        aria-label={`${label}, ${of}`}
        aria-valuemin={0}
        aria-valuemax={Math.max(last, 0)}
        aria-valuenow={Math.max(at, 0)}
        aria-valuetext={`${shown?.name}: ${series
          .map(({ name }, index) => `${tell(shown?.values[index])} ${name}`)
          .join(', ')}`}
        onKeyDown={move}
        onPointerMove={choose}
        onPointerDown={choose}
        onPointerLeave={() => setChosen(null)}
        onBlur={() => setChosen(null)}
      >
        <svg
          viewBox={`0 0 ${points.length * STEP} ${HEIGHT}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          {chosen !== null && <rect class="chosen" x={at * STEP} width={STEP} height={HEIGHT} />}
          {points.map(({ name }, index) =>
            series
              .map(({ tone }, each) => {
                const value = heights[index]?.[each] ?? 0;
                const height = value && Math.max(2, (value / most) * HEIGHT);
                const place = { x: index * STEP, y: HEIGHT - height, width: STEP - GAP, height };
                return height > 0 && <rect key={`${name} ${each}`} class={tone} {...place} />;
              })
              // The tallest is drawn first.
              .reverse(),
          )}
        </svg>
      </div>
      <div class="spread soft small" aria-hidden="true">
        <span>{points[0]?.name}</span>
        {chosen !== null && <strong>{shown?.name}</strong>}
        <span>{points[last]?.name}</span>
      </div>
      <ul class="row small" aria-hidden="true">
        {series.map(({ name, tone }, index) => (
          <li key={name} class={`number ${tone}`}>
            <strong>{tell(shown?.values[index])}</strong> {name}
          </li>
        ))}
      </ul>
      <AsTable {...{ label, of, series, points, tell }} />
    </figure>
  );
}

interface AsTableProps extends Pick<BarsProps, 'label' | 'of' | 'series' | 'points'> {
  readonly tell: (value: number | null | undefined) => string;
}

function AsTable({ label, of, series, points, tell }: AsTableProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary class="small">{texts.asTable}</summary>
      {isOpen && (
        <table class="plain-table">
          <caption class="visually-hidden">{label}</caption>
          <thead>
            <tr>
              <th scope="col">{of}</th>
              {series.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {points.map(({ name, values }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {series.map(({ name: column }, index) => (
                  <td key={column}>{tell(values[index])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </details>
  );
}

/** How high the bar of each series reaches. */
function heightsOf(values: BarPoint['values'], isOverlaid: boolean): number[] {
  let height = 0;
  return values.map((value) => {
    height = isOverlaid ? (value ?? 0) : height + (value ?? 0);
    return height;
  });
}

export interface SharesProps {
  readonly label: string;
  /** What the first column of the table holds, for example operations. */
  readonly of: string;
  readonly values: readonly { readonly name: string; readonly value: number }[];
}

/** Shares of a whole, the largest first: each a line with its name and number. */
export function Shares({ label, of, values }: SharesProps) {
  const most = Math.max(1, ...values.map(({ value }) => value));
  return (
    <table class="plain-table shares">
      <caption class="small">{label}</caption>
      <thead class="visually-hidden">
        <tr>
          <th scope="col">{of}</th>
          <th scope="col">{texts.value}</th>
        </tr>
      </thead>
      <tbody>
        {values.map(({ name, value }) => (
          <tr key={name}>
            <th scope="row">
              {name}
              <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
                <rect width={(value / most) * 100} height="4" />
              </svg>
            </th>
            <td>{formatCount(value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
