import type { DaySchedule, Schedules, Service } from '@servery/contract';
import { restaurants as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Field, type Option, Select } from '../../parts/field.tsx';
import { Card } from '../../parts/page.tsx';
import type { FieldFaults } from '../../platform/faults.ts';
import {
  isUsed,
  keysOf,
  minutesOf,
  newKey,
  placeOf,
  timeOf,
  typedTime,
  type Weekday,
  weekdays,
} from './hours.ts';
import { formatClock, weekdayName } from './words.ts';

export interface HoursProps {
  readonly schedules: Schedules;
  readonly faults: FieldFaults;
  readonly onChange: (schedules: Schedules) => void;
}

/** The week first: which type of day each weekday is. Then what each type of day is. */
export function Hours({ schedules, faults, onChange }: HoursProps) {
  const keys = keysOf(schedules);
  const setDay = (key: string, day: DaySchedule) =>
    onChange({ ...schedules, daySchedules: { ...schedules.daySchedules, [key]: day } });
  const removeDay = (key: string) => {
    const { [key]: _gone, ...daySchedules } = schedules.daySchedules;
    onChange({ ...schedules, daySchedules });
  };
  const addDay = () => {
    const day = { scheduleName: '', services: [newService()], openTime: null, closeTime: null };
    setDay(newKey(schedules), day);
  };
  return (
    <>
      <Card title={texts.hours.week}>
        <div class="week">
          {weekdays.map((weekday) => (
            <WeekdayRow
              key={weekday}
              weekday={weekday}
              schedules={schedules}
              fault={faults.get(`schedules.weekSchedule.${weekday}`)}
              onChange={onChange}
            />
          ))}
        </div>
      </Card>
      {keys.map((key) => {
        const day = schedules.daySchedules[key];
        return (
          day && (
            <DayCard
              key={key}
              id={key}
              day={day}
              faults={faults}
              isUsed={isUsed(schedules, key)}
              onChange={(changed) => setDay(key, changed)}
              onRemove={() => removeDay(key)}
            />
          )
        );
      })}
      <div class="row">
        <Button onClick={addDay}>{texts.hours.addDay}</Button>
        {keys.length === 0 && <p class="soft">{texts.hours.noDays}</p>}
      </div>
    </>
  );
}

function newService(): Service {
  return { name: '', hours: { startTime: '', endTime: '' }, overnight: false };
}

interface WeekdayRowProps {
  readonly weekday: Weekday;
  readonly schedules: Schedules;
  readonly fault: string | undefined;
  readonly onChange: (schedules: Schedules) => void;
}

const DAY_MINUTES = 24 * 60;
/** The bar begins at 4 in the morning, as business days commonly do. */
const BAR_BEGINS = 4 * 60;

function WeekdayRow({ weekday, schedules, fault, onChange }: WeekdayRowProps) {
  const key = schedules.weekSchedule[weekday];
  const day = key === null ? undefined : schedules.daySchedules[key];
  const choose = (chosen: string) =>
    onChange({
      ...schedules,
      weekSchedule: { ...schedules.weekSchedule, [weekday]: chosen === '' ? null : chosen },
    });
  return (
    <div class="weekday">
      <Select
        label={weekdayName(weekday)}
        value={key ?? ''}
        fault={fault}
        onValue={choose}
        options={[
          ['', texts.hours.closed],
          ...keysOf(schedules).map(
            (each): Option => [
              each,
              schedules.daySchedules[each]?.scheduleName || texts.hours.unnamed(each),
            ],
          ),
        ]}
      />
      <p class="soft small number">{day ? hoursInWords(day) : texts.hours.closed}</p>
      <svg
        class="bar"
        viewBox={`0 0 ${DAY_MINUTES} 10`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <rect class="whole" width={DAY_MINUTES} height="10" />
        {day?.services.map((service, index) => {
          const [start, length] = spanOf(service);
          return <rect key={index} class="open" x={start} width={length} height="10" />;
        })}
      </svg>
    </div>
  );
}

/** Services without a break between them are one opening. */
function hoursInWords({ services }: DaySchedule): string {
  const openings: { start: string; end: string }[] = [];
  for (const { hours } of services) {
    const { startTime: start, endTime: end } = hours;
    if (start === '' || end === '') continue;
    const last = openings.at(-1);
    if (last?.end === start) last.end = end;
    else openings.push({ start, end });
  }
  return openings.map(({ start, end }) => `${formatClock(start)} – ${formatClock(end)}`).join(', ');
}

/** Where it begins on the bar, and how long it is. */
function spanOf({ hours }: Service): [start: number, length: number] {
  if (hours.startTime === '' || hours.endTime === '') return [0, 0];
  const [start = 0, end = 0] = [hours.startTime, hours.endTime].map(
    (time) => (minutesOf(time) - BAR_BEGINS + DAY_MINUTES) % DAY_MINUTES,
  );
  return [start, end > start ? end - start : DAY_MINUTES - start];
}

interface DayCardProps {
  readonly id: string;
  readonly day: DaySchedule;
  readonly faults: FieldFaults;
  readonly isUsed: boolean;
  readonly onChange: (day: DaySchedule) => void;
  readonly onRemove: () => void;
}

function DayCard({ id, day, faults, isUsed: isInWeek, onChange, onRemove }: DayCardProps) {
  const name = day.scheduleName || texts.hours.unnamed(id);
  const setService = (index: number, service: Service) =>
    onChange({ ...day, services: day.services.with(index, service) });
  const ofDay = ['openTime', 'closeTime', 'services'].flatMap(
    (field) => faults.get(placeOf(id, undefined, field)) ?? [],
  );
  return (
    <section class="card stack" aria-label={name}>
      <div class="spread">
        <Field
          label={texts.hours.dayName}
          value={day.scheduleName}
          fault={faults.get(placeOf(id, undefined, 'scheduleName')) ?? faults.get(placeOf(id))}
          onValue={(scheduleName) => onChange({ ...day, scheduleName })}
        />
        {isInWeek ? (
          <span class="soft small">{texts.hours.inUse}</span>
        ) : (
          <Button kind="quiet" onClick={onRemove}>
            {texts.hours.removeDay}
          </Button>
        )}
      </div>
      {ofDay.map((text) => (
        <p key={text} class="fault" role="alert">
          {text}
        </p>
      ))}
      <ol class="services">
        {day.services.map((service, index) => (
          <ServiceRow
            key={index}
            place={(field) => placeOf(id, index, field)}
            service={service}
            faults={faults}
            onChange={(changed) => setService(index, changed)}
            onRemove={() => onChange({ ...day, services: day.services.toSpliced(index, 1) })}
          />
        ))}
      </ol>
      <div class="row">
        <Button onClick={() => onChange({ ...day, services: [...day.services, newService()] })}>
          {texts.hours.addService}
        </Button>
      </div>
    </section>
  );
}

interface ServiceRowProps {
  readonly place: (field?: string) => string;
  readonly service: Service;
  readonly faults: FieldFaults;
  readonly onChange: (service: Service) => void;
  readonly onRemove: () => void;
}

function ServiceRow({ place, service, faults, onChange, onRemove }: ServiceRowProps) {
  const { name, hours, overnight } = service;
  const setTime = (end: 'startTime' | 'endTime') => (typed: string) =>
    onChange({ ...service, hours: { ...hours, [end]: timeOf(typed) } });
  const isNextDay = overnight || (hours.endTime !== '' && hours.endTime <= hours.startTime);
  return (
    <li class="service">
      <Field
        label={texts.hours.service}
        value={name}
        fault={faults.get(place('name')) ?? faults.get(place())}
        onValue={(text) => onChange({ ...service, name: text })}
      />
      <Field
        label={texts.hours.from}
        type="time"
        value={typedTime(hours.startTime)}
        fault={faults.get(place('hours.startTime')) ?? faults.get(place('overnight'))}
        onValue={setTime('startTime')}
      />
      <Field
        label={texts.hours.to}
        type="time"
        value={typedTime(hours.endTime)}
        hint={isNextDay ? texts.hours.nextDay : undefined}
        fault={faults.get(place('hours.endTime'))}
        onValue={setTime('endTime')}
      />
      <Button
        kind="quiet"
        icon="close"
        aria-label={texts.hours.removeService(name)}
        onClick={onRemove}
      />
    </li>
  );
}
