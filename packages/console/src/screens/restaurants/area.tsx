import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { restaurants as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Select, TextArea } from '../../parts/field.tsx';
import { Card } from '../../parts/page.tsx';
import { formatDecimal } from '../../platform/format.ts';
import {
  areaOf,
  cornersOf,
  crossingOf,
  isInside,
  nearestLine,
  Plane,
  type Point,
  readCorners,
  type Spot,
  squareMetersOf,
  type Unit,
  units,
  writeCorners,
} from './geometry.ts';

export interface AreaProps {
  /** As the platform stores it. */
  readonly area: string | null;
  /** Where the restaurant is; null if it has not said so. */
  readonly restaurant: Point | null;
  readonly unit: Unit;
  readonly onUnit: (unit: Unit) => void;
  readonly fault: string | undefined;
  readonly isReadOnly: boolean;
  readonly onChange: (area: string | null) => void;
  /** A fault that must be gone before the area can be saved. */
  readonly onBlock: (fault: string | null) => void;
}

const FEWEST = 3;

/** The area on a grid and as text: either changes the other. */
export function Area(props: AreaProps) {
  const { area, restaurant, unit, onUnit, fault, isReadOnly, onChange, onBlock } = props;
  const corners = useMemo(() => cornersOf(area) ?? [], [area]);
  const [text, setText] = useState(() => writeCorners(corners));
  const [textFault, setTextFault] = useState<string | null>(null);
  const [before, setBefore] = useState<readonly (string | null)[]>([]);
  // Drawn, undone or discarded: the text follows, unless it says the same already.
  useEffect(() => {
    const read = readCorners(text);
    if (typeof read !== 'number' && writeCorners(read) === writeCorners(corners)) return;
    setText(writeCorners(corners));
    setTextFault(null);
  }, [corners]);
  const problem = problemOf(corners);
  const block = textFault ?? problem?.text ?? null;
  const isChanged = before.length > 0;
  useEffect(() => {
    if (isChanged || block === null) onBlock(block);
  }, [block, isChanged]);
  const set = (changed: readonly Point[]) => {
    setBefore((list) => [...list, area]);
    onChange(areaOf(changed));
  };
  const undo = () => {
    const last = before.at(-1);
    setBefore(before.slice(0, -1));
    if (last !== undefined) onChange(last);
  };
  const type = (typed: string) => {
    setText(typed);
    const read = readCorners(typed);
    if (typeof read === 'number') {
      setBefore((list) => (list.length === 0 ? [area] : list));
      setTextFault(texts.area.lineFault(read));
    } else {
      setTextFault(null);
      if (areaOf(read) !== area) set(read);
    }
  };
  const origin = restaurant ?? corners[0] ?? null;
  return (
    <Card
      title={texts.area.title}
      aside={
        <Select
          label={texts.area.unit}
          value={unit}
          onValue={(chosen) => onUnit(chosen === 'mi' ? 'mi' : 'km')}
          options={Object.entries(texts.area.units)}
        />
      }
    >
      {origin ? (
        <Grid
          corners={corners}
          origin={origin}
          restaurant={restaurant}
          unit={unit}
          crossing={problem?.crossing ?? null}
          isReadOnly={isReadOnly}
          onChange={set}
          onUndo={isChanged ? undo : null}
        />
      ) : (
        <p class="soft">{texts.area.noPlace}</p>
      )}
      {(problem ?? fault) && (
        <p class="fault" role="alert">
          {problem?.text ?? fault}
        </p>
      )}
      <details open={!origin}>
        <summary>{texts.area.asText}</summary>
        <TextArea
          label={texts.area.corners}
          hint={texts.area.cornersHint}
          fault={textFault}
          rows={Math.min(14, Math.max(4, corners.length + 1))}
          isCode
          isReadOnly={isReadOnly}
          value={text}
          onValue={type}
        />
      </details>
    </Card>
  );
}

interface Problem {
  readonly text: string;
  readonly crossing: readonly [number, number] | null;
}

function problemOf(corners: readonly Point[]): Problem | null {
  const [first] = corners;
  if (!first) return null;
  if (corners.length < FEWEST) return { text: texts.area.tooFew, crossing: null };
  const plane = new Plane(first);
  const crossing = crossingOf(corners.map((point) => plane.spotOf(point)));
  if (!crossing) return null;
  const [one, other] = crossing.map((line) => texts.area.line(line + 1, nextOf(line, corners)));
  return { text: texts.area.crossing(one ?? '', other ?? ''), crossing };
}

function nextOf(index: number, corners: readonly unknown[]): number {
  return ((index + 1) % corners.length) + 1;
}

interface GridProps {
  readonly corners: readonly Point[];
  readonly origin: Point;
  readonly restaurant: Point | null;
  readonly unit: Unit;
  readonly crossing: readonly [number, number] | null;
  readonly isReadOnly: boolean;
  readonly onChange: (corners: readonly Point[]) => void;
  /** Null if nothing can be undone. */
  readonly onUndo: (() => void) | null;
}

interface View {
  readonly center: Spot;
  readonly metersPerPixel: number;
}

const ZOOM = 1.5;
const MOVED_PIXELS = 4;
const LINE_PIXELS = 64;
const MOST_HEIGHT = 540;

function Grid(props: GridProps) {
  const { corners, origin, restaurant, unit, crossing, isReadOnly, onChange, onUndo } = props;
  const plane = useMemo(() => new Plane(origin), [origin[0], origin[1]]);
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const height = Math.min(MOST_HEIGHT, Math.max(300, Math.round(width * 0.62)));
  const [chosen, setChosen] = useState<number | null>(null);
  const [dragged, setDragged] = useState<{ index: number; spot: Spot } | null>(null);
  const [view, setView] = useState<View | null>(null);
  const spots = corners.map((point, index) =>
    dragged?.index === index ? dragged.spot : plane.spotOf(point),
  );
  const home = restaurant && plane.spotOf(restaurant);
  const fit = () => setView(fitted(home ? [...spots, home] : spots, width, height));
  useLayoutEffect(() => {
    const measure = () => setWidth(frame.current?.clientWidth ?? 0);
    measure();
    const observer = new ResizeObserver(measure);
    if (frame.current) observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    if (width > 0) fit();
  }, [width, plane]);
  if (!view || width === 0) return <div ref={frame} class="map" />;
  const { center, metersPerPixel } = view;
  const x = ({ east }: Spot) => width / 2 + (east - center.east) / metersPerPixel;
  const y = ({ north }: Spot) => height / 2 - (north - center.north) / metersPerPixel;
  const spotAt = (event: PointerEvent | MouseEvent, svg: Element): Spot => {
    const box = svg.getBoundingClientRect();
    return {
      east: center.east + (event.clientX - box.left - width / 2) * metersPerPixel,
      north: center.north - (event.clientY - box.top - height / 2) * metersPerPixel,
    };
  };
  const step = gridStep(metersPerPixel, unit);
  const put = (index: number, spot: Spot) => onChange(corners.with(index, plane.pointAt(spot)));
  const add = (index: number, spot: Spot) => {
    onChange(corners.toSpliced(index, 0, plane.pointAt(spot)));
    setChosen(index);
  };
  const remove = (index: number) => {
    onChange(corners.toSpliced(index, 1));
    setChosen(corners.length > 1 ? Math.min(index, corners.length - 2) : null);
  };
  const addAfter = (index: number) => {
    const [one, next] = [spots[index], spots[(index + 1) % spots.length]];
    if (!one || !next) return;
    const middle =
      spots.length < 2
        ? { east: one.east + step.meters, north: one.north }
        : { east: (one.east + next.east) / 2, north: (one.north + next.north) / 2 };
    add(index + 1, middle);
  };
  const key = (event: KeyboardEvent, index: number) => {
    const spot = spots[index];
    if (isReadOnly || !spot) return;
    const way = ARROWS[event.key];
    const meters = event.shiftKey ? step.meters : step.meters / 10;
    if (way) put(index, { east: spot.east + way[0] * meters, north: spot.north + way[1] * meters });
    else if (event.key === 'Delete' || event.key === 'Backspace') remove(index);
    else if (event.key === '+' || event.key === 'Enter') addAfter(index);
    else if (event.key === 'z' && (event.ctrlKey || event.metaKey)) onUndo?.();
    else return;
    event.preventDefault();
  };
  const path = spots.map((spot) => `${x(spot)} ${y(spot)}`).join('L');
  const line = (index: number) => {
    const [one, next] = [spots[index], spots[(index + 1) % spots.length]];
    return one && next ? `M${x(one)} ${y(one)}L${x(next)} ${y(next)}` : '';
  };
  const heart = heartOf(spots);
  const told = chosen !== null ? spots[chosen] : undefined;
  return (
    <div class="stack">
      <div class="row map-tools">
        {!isReadOnly && (
          <>
            <Button onClick={() => (chosen === null || !told ? addFirst() : addAfter(chosen))}>
              {texts.area.add}
            </Button>
            <Button disabled={!told} onClick={() => chosen !== null && remove(chosen)}>
              {texts.area.remove}
            </Button>
            <Button disabled={!onUndo} onClick={() => onUndo?.()}>
              {texts.area.undo}
            </Button>
          </>
        )}
        <span class="fill" />
        <Button aria-label={texts.area.zoomOut} onClick={() => zoom(ZOOM)}>
          −
        </Button>
        <Button aria-label={texts.area.zoomIn} onClick={() => zoom(1 / ZOOM)}>
          +
        </Button>
        <Button onClick={fit}>{texts.area.fit}</Button>
      </div>
      <div ref={frame} class="map">
        <svg
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          role="group"
          aria-label={texts.area.grid}
          class={isReadOnly ? undefined : 'drawable'}
          onPointerDown={startPan}
        >
          <path class="lines" d={gridLines(view, step.meters, width, height)} />
          {spots.length > 1 && <path class="area" d={`M${path}Z`} />}
          {crossing?.map((index) => (
            <path key={index} class="crossing" d={line(index)} />
          ))}
          {home && <Home x={x(home)} y={y(home)} />}
          {!isReadOnly &&
            !dragged &&
            spots.length >= FEWEST &&
            spots.map((spot, index) => {
              const next = spots[(index + 1) % spots.length] ?? spot;
              const middle = {
                east: (spot.east + next.east) / 2,
                north: (spot.north + next.north) / 2,
              };
              if (Math.hypot(x(next) - x(spot), y(next) - y(spot)) < LINE_PIXELS) return null;
              return (
                <g
                  key={index}
                  class="middle-of"
                  transform={`translate(${x(middle)} ${y(middle)})`}
                  data-after={index}
                >
                  <circle class="reach" r="14" />
                  <circle r="7" />
                  <path d="M-3.5 0h7M0 -3.5v7" />
                </g>
              );
            })}
          {spots.map((spot, index) => (
            <g
              key={index}
              class={chosen === index ? 'corner chosen' : 'corner'}
              transform={`translate(${x(spot)} ${y(spot)})`}
              role="button"
              tabIndex={0}
              aria-label={`${texts.area.corner(index + 1)}: ${whereIs(spot, home, unit)}`}
              aria-pressed={chosen === index}
              onFocus={() => setChosen(index)}
              onKeyDown={(event) => key(event, index)}
              onPointerDown={(event) => startDrag(event, index)}
              // A finger on a corner moves the corner, and not the page.
              onTouchStart={(event) => event.preventDefault()}
            >
              <circle class="reach" r="20" />
              <circle class="dot" r="8" />
              <text {...labelPlace(spot, heart)}>{index + 1}</text>
            </g>
          ))}
          <Scale step={step} metersPerPixel={metersPerPixel} unit={unit} height={height} />
          <path class="north" d={`M${width - 20} 34V14m-5 7 5-7 5 7`} />
          <text class="north-text" x={width - 20} y={48}>
            {texts.area.north}
          </text>
        </svg>
      </div>
      <p class="soft small" role="status">
        {told && chosen !== null
          ? `${texts.area.corner(chosen + 1)}: ${whereIs(told, home, unit)}`
          : isReadOnly
            ? ''
            : texts.area.help}
      </p>
      <Facts spots={spots} home={home} unit={unit} />
    </div>
  );

  function zoom(by: number) {
    setView({ center, metersPerPixel: Math.max(0.5, Math.min(2_000, metersPerPixel * by)) });
  }

  function addFirst() {
    if (spots.length > 0) addAfter(spots.length - 1);
    else if (home) {
      // A square to pull at, one line of the grid around the restaurant.
      const { meters } = step;
      const square = [
        { east: home.east - meters, north: home.north + meters },
        { east: home.east + meters, north: home.north + meters },
        { east: home.east + meters, north: home.north - meters },
        { east: home.east - meters, north: home.north - meters },
      ];
      onChange(square.map((spot) => plane.pointAt(spot)));
      setChosen(0);
    }
  }

  function startDrag(event: PointerEvent, index: number) {
    event.stopPropagation();
    const corner = event.currentTarget as SVGGElement;
    const svg = corner.ownerSVGElement;
    const from = spots[index];
    corner.focus();
    if (isReadOnly || !svg || !from || event.button !== 0) return;
    event.preventDefault();
    const [startX, startY] = [event.clientX, event.clientY];
    let at: Spot | null = null;
    follow(event, {
      move: (moved) => {
        const isFar = Math.hypot(moved.clientX - startX, moved.clientY - startY) > MOVED_PIXELS;
        if (!at && !isFar) return;
        at = {
          east: from.east + (moved.clientX - startX) * metersPerPixel,
          north: from.north - (moved.clientY - startY) * metersPerPixel,
        };
        setDragged({ index, spot: at });
      },
      end: (isKept) => {
        if (at && isKept) put(index, at);
        setDragged(null);
      },
    });
  }

  /** Pulls the grid; a press that stays where it is adds a corner. */
  function startPan(event: PointerEvent) {
    if (event.button !== 0) return;
    const svg = event.currentTarget as SVGSVGElement;
    const target = event.target as Element;
    const [startX, startY] = [event.clientX, event.clientY];
    const pressed = spotAt(event, svg);
    let isMoved = false;
    follow(event, {
      move: (moved) => {
        const [right, down] = [moved.clientX - startX, moved.clientY - startY];
        isMoved ||= Math.hypot(right, down) > MOVED_PIXELS;
        if (!isMoved) return;
        const east = center.east - right * metersPerPixel;
        const north = center.north + down * metersPerPixel;
        setView({ metersPerPixel, center: { east, north } });
      },
      end: (isKept) => {
        if (isReadOnly || isMoved || !isKept) return;
        const middle = target.closest<SVGElement>('.middle-of')?.dataset.after;
        if (middle !== undefined) addAfter(Number(middle));
        else add(spots.length < FEWEST ? spots.length : nearestLine(spots, pressed) + 1, pressed);
      },
    });
  }
}

function heartOf(spots: readonly Spot[]): Spot {
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  return {
    east: mean(spots.map(({ east }) => east)),
    north: mean(spots.map(({ north }) => north)),
  };
}

const LABEL_PIXELS = 19;

/** Away from the middle, where no line runs. */
function labelPlace(spot: Spot, from: Spot) {
  const [right, up] = [spot.east - from.east, spot.north - from.north];
  const length = Math.hypot(right, up) || 1;
  // Text stands on its place: a third of its height lower is its middle.
  return { x: (right / length) * LABEL_PIXELS, y: 4 - (up / length) * LABEL_PIXELS };
}

const ARROWS: Readonly<Record<string, readonly [east: number, north: number]>> = {
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

interface Following {
  readonly move: (event: PointerEvent) => void;
  /** False if the browser took the pointer for something else, for example to scroll. */
  readonly end: (isKept: boolean) => void;
}

/** Follows a pointer until it is released, wherever it goes. */
function follow({ pointerId }: PointerEvent, { move, end }: Following): void {
  const moved = (event: PointerEvent) => event.pointerId === pointerId && move(event);
  const ended = (event: PointerEvent) => {
    if (event.pointerId !== pointerId) return;
    removeEventListener('pointermove', moved);
    removeEventListener('pointerup', ended);
    removeEventListener('pointercancel', ended);
    end(event.type === 'pointerup');
  };
  addEventListener('pointermove', moved);
  addEventListener('pointerup', ended);
  addEventListener('pointercancel', ended);
}

function Home({ x, y }: { readonly x: number; readonly y: number }) {
  return (
    <g class="home" transform={`translate(${x} ${y})`}>
      <path d="M0 0c-5-6-8-9-8-14a8 8 0 1 1 16 0c0 5-3 8-8 14z" />
      <circle cy="-14" r="3" />
    </g>
  );
}

interface Step {
  readonly meters: number;
  readonly inUnits: number;
}

interface ScaleProps {
  readonly step: Step;
  readonly metersPerPixel: number;
  readonly unit: Unit;
  readonly height: number;
}

function Scale({ step, metersPerPixel, unit, height }: ScaleProps) {
  const pixels = step.meters / metersPerPixel;
  return (
    <g class="scale" transform={`translate(12 ${height - 14})`}>
      <path d={`M0 -6V0H${pixels}V-6`} />
      <text x={pixels / 2} y={-6}>
        {formatDecimal(step.inUnits)} {unit}
      </text>
    </g>
  );
}

/** 1, 2 or 5 times a power of ten, at least so far apart that a finger fits between the lines. */
function gridStep(metersPerPixel: number, unit: Unit): Step {
  const { meters } = units[unit];
  const least = (LINE_PIXELS * metersPerPixel) / meters;
  const power = 10 ** Math.floor(Math.log10(least));
  const inUnits = ([1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10) * power;
  return { inUnits, meters: inUnits * meters };
}

function gridLines({ center, metersPerPixel }: View, step: number, width: number, height: number) {
  const lines: string[] = [];
  const [halfEast, halfNorth] = [(width / 2) * metersPerPixel, (height / 2) * metersPerPixel];
  const first = (from: number) => Math.ceil(from / step) * step;
  for (let east = first(center.east - halfEast); east <= center.east + halfEast; east += step) {
    lines.push(`M${width / 2 + (east - center.east) / metersPerPixel} 0V${height}`);
  }
  for (
    let north = first(center.north - halfNorth);
    north <= center.north + halfNorth;
    north += step
  ) {
    lines.push(`M0 ${height / 2 - (north - center.north) / metersPerPixel}H${width}`);
  }
  return lines.join('');
}

const LEAST_METERS = 1_000;
const MARGIN = 0.78;

function fitted(spots: readonly Spot[], width: number, height: number): View {
  const [easts, norths] = [spots.map(({ east }) => east), spots.map(({ north }) => north)];
  const [west, east] = [Math.min(...easts), Math.max(...easts)];
  const [south, north] = [Math.min(...norths), Math.max(...norths)];
  const metersPerPixel = Math.max(
    Math.max(east - west, LEAST_METERS) / (width * MARGIN),
    Math.max(north - south, LEAST_METERS) / (height * MARGIN),
  );
  return {
    metersPerPixel,
    center: { east: (west + east) / 2, north: (south + north) / 2 },
  };
}

interface FactsProps {
  readonly spots: readonly Spot[];
  readonly home: Spot | null;
  readonly unit: Unit;
}

function Facts({ spots, home, unit }: FactsProps) {
  if (spots.length < FEWEST) return <p class="soft">{texts.area.none}</p>;
  const { meters } = units[unit];
  const size = `${formatDecimal(squareMetersOf(spots) / meters ** 2)} ${unit}²`;
  const farthest = home && Math.max(...spots.map((spot) => distance(spot, home)));
  const reach = farthest === null ? null : `${formatDecimal(farthest / meters)} ${unit}`;
  const isOut = home !== null && !isInside(spots, home);
  return (
    <p class="number">
      {texts.area.facts(spots.length, size, reach)}
      {isOut && <span class="area-warning"> {texts.area.outside}</span>}
    </p>
  );
}

function distance(one: Spot, other: Spot): number {
  return Math.hypot(one.east - other.east, one.north - other.north);
}

/** In words, from the restaurant. */
function whereIs(spot: Spot, home: Spot | null, unit: Unit): string {
  const { meters } = units[unit];
  const from = home ?? { east: 0, north: 0 };
  const part = (length: number, plus: string, minus: string) =>
    `${formatDecimal(Math.abs(length) / meters)} ${unit} ${length < 0 ? minus : plus}`;
  const { directions } = texts.area;
  const north = part(spot.north - from.north, directions.north, directions.south);
  return `${north}, ${part(spot.east - from.east, directions.east, directions.west)}`;
}
