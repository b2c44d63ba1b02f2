import { Checkbox, TextInput } from "@mantine/core";
import type { RepeatBody } from "@ewebal/contract";
import { anchorRepeat, listRepeatTimes } from "@ewebal/contract/rules";
import { NativeSelect } from "../../../ui/forms/native-select.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { findMoment, formatInZone, scheduleAt, writeSendAt, type Schedule } from "./schedule.ts";
import classes from "./schedule-field.module.css";
import { weekdays } from "./repeat-words.ts";

type RepeatFieldsProps = { schedule: Schedule; onSchedule: (changes: Partial<Schedule>) => void };

/** Whether the message is sent again, on which days, and until when; with its next times. */
export function RepeatFields({ schedule, onSchedule }: RepeatFieldsProps) {
  const { repeat } = schedule;
  const set = (changes: Partial<RepeatBody>): void => {
    if (repeat !== undefined) onSchedule({ repeat: { ...repeat, ...changes } });
  };
  return (
    <Stack gap={12} className={classes.repeat}>
      <NativeSelect
        label="Repeat"
        name="repeat"
        value={repeat?.every ?? ""}
        onValue={(every) => onSchedule({ repeat: startRepeat(schedule, every) })}
      >
        <option value="">Once only</option>
        <option value="day">Every day</option>
        <option value="week">Every week</option>
        <option value="month">Every month</option>
      </NativeSelect>
      {repeat?.every === "week" && <Weekdays on={repeat.on ?? []} onDays={(on) => set({ on })} />}
      {repeat?.every === "month" && <MonthDays on={repeat.on ?? []} onDays={(on) => set({ on })} />}
      {repeat !== undefined && (
        <>
          <TextInput
            type="date"
            label="Until (optional)"
            description="The last day on which it is sent"
            value={repeat.until === undefined ? "" : scheduleAt(Date.parse(repeat.until), schedule.timeZone).date}
            min={schedule.date}
            onChange={({ currentTarget }) => onSchedule({ repeat: endOn(repeat, schedule, currentTarget.value) })}
          />
          <NextTimes schedule={schedule} />
        </>
      )}
    </Stack>
  );
}

/** On the weekday, or the day of the month, of the first time. */
function startRepeat({ date, repeat }: Schedule, every: string): RepeatBody | undefined {
  const until = repeat?.until === undefined ? {} : { until: repeat.until };
  if (every === "day") return { every, ...until };
  const day = new Date(`${date}T12:00:00Z`);
  const isDay = !Number.isNaN(day.getTime());
  if (every === "week") return { every, on: isDay ? [((day.getUTCDay() + 6) % 7) + 1] : [], ...until };
  return every === "month" ? { every, on: isDay ? [day.getUTCDate()] : [], ...until } : undefined;
}

/** @param date the whole of it counts; empty for no end. */
function endOn({ until: _, ...repeat }: RepeatBody, { timeZone }: Schedule, date: string): RepeatBody {
  const until = writeSendAt({ date, time: "23:59", timeZone });
  return until === undefined ? repeat : { ...repeat, until };
}

type DaysProps = { on: readonly number[]; onDays: (on: number[]) => void };

function Weekdays({ on, onDays }: DaysProps) {
  return (
    <fieldset className={classes.days}>
      <legend className="small strong">On</legend>
      <Inline gap={8} across={16} wraps above={8}>
        {weekdays.map((name, index) => (
          <Checkbox
            key={name}
            label={name}
            checked={on.includes(index + 1)}
            onChange={() => onDays(toggle(on, index + 1))}
          />
        ))}
      </Inline>
    </fieldset>
  );
}

function toggle(on: readonly number[], day: number): number[] {
  return (on.includes(day) ? on.filter((each) => each !== day) : [...on, day]).toSorted((one, other) => one - other);
}

function MonthDays({ on: [day], onDays }: DaysProps) {
  return (
    <NativeSelect label="On day" name="day" value={String(day ?? "")} onValue={(chosen) => onDays([Number(chosen)])}>
      {Array.from({ length: 31 }, (_, index) => (
        <option key={index} value={index + 1}>
          {index === 30 ? "Last day of the month" : index + 1}
        </option>
      ))}
    </NativeSelect>
  );
}

const SHOWN_TIMES = 3;

/** By the function that the server sends by. */
function NextTimes({ schedule }: { schedule: Schedule }) {
  const { repeat, timeZone } = schedule;
  const firstMs = findMoment(schedule);
  if (repeat === undefined || firstMs === undefined || repeat.on?.length === 0) return null;
  const first = new Date(firstMs);
  const times = listRepeatTimes(anchorRepeat(repeat, first, timeZone), timeZone, first, SHOWN_TIMES);
  if (times.length === 0)
    return (
      <p className="tone-error small" role="status">
        It ends before the first time
      </p>
    );
  return (
    <div className="small" role="status">
      <p className="strong">Next times</p>
      <ul className={`${classes.times} muted numeric`}>
        {times.map((time) => (
          <li key={time.getTime()}>{formatInZone(time.toISOString(), timeZone)}</li>
        ))}
      </ul>
      <p className="muted tiny above-8">Each time is charged by itself, and units are set aside for the next one.</p>
    </div>
  );
}
