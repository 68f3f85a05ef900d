import './bars.css';
import { charts as texts } from '../messages.ts';
import { formatCount } from '../platform/format.ts';

export interface BarsProps {
  readonly label: string;
  /** What the first column of the table holds, for example days. */
  readonly of: string;
  readonly values: readonly { readonly name: string; readonly value: number }[];
}

const WIDTH = 600;
const HEIGHT = 96;
const GAP = 2;

/** Numbers over time as bars. The table below says the same to people who can't see them. */
export function Bars({ label, of, values }: BarsProps) {
  const most = Math.max(1, ...values.map(({ value }) => value));
  const step = WIDTH / Math.max(1, values.length);
  const first = values[0];
  const last = values.at(-1);
  return (
    <figure class="bars">
      <figcaption class="spread small">
        <span>{label}</span>
        <span class="soft number">{texts.most(formatCount(most))}</span>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {values.map(({ name, value }, index) => {
          const height = value === 0 ? 1 : Math.max(2, (value / most) * HEIGHT);
          return (
            <rect
              key={name}
              class={value === 0 ? 'none' : undefined}
              x={index * step}
              y={HEIGHT - height}
              width={Math.max(1, step - GAP)}
              height={height}
            >
              <title>{`${name}: ${formatCount(value)}`}</title>
            </rect>
          );
        })}
      </svg>
      <div class="spread soft small" aria-hidden="true">
        <span>{first?.name}</span>
        <span>{last?.name}</span>
      </div>
      <details>
        <summary class="small">{texts.asTable}</summary>
        <table class="plain-table">
          <caption class="visually-hidden">{label}</caption>
          <thead>
            <tr>
              <th scope="col">{of}</th>
              <th scope="col">{texts.value}</th>
            </tr>
          </thead>
          <tbody>
            {values.map(({ name, value }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{formatCount(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

/** Shares of a whole, the largest first: each a line with its name and number. */
export function Shares({ label, of, values }: BarsProps) {
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
