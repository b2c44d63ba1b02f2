import { Switch, TextInput } from "@mantine/core";
import { Stack } from "../../../ui/layout/boxes.tsx";
import type { Composer } from "../compose/composer.ts";
import classes from "./schedule-field.module.css";
import { findScheduleFaults, scheduleAt, scheduleInWords, type Schedule } from "./schedule.ts";
import { TimeZoneSelect } from "./time-zone-select.tsx";
import { useComposition } from "../compose/use-composition.ts";

type ScheduleFieldProps = {
  composer: Composer;
  /** Whether the message may go out at once instead. */
  isOptional: boolean;
};

/** When the message goes out: at once, or at a time of day somewhere. */
export function ScheduleField({ composer, isOptional }: ScheduleFieldProps) {
  const schedule = useComposition(composer, (composition) => composition.schedule);
  return (
    <Stack gap={16}>
      {isOptional && (
        <Switch
          classNames={{ track: classes.track }}
          label="Send later"
          checked={schedule !== undefined}
          onChange={({ currentTarget }) => composer.setLater(currentTarget.checked)}
        />
      )}
      {schedule !== undefined && (
        <ScheduleInputs
          schedule={schedule}
          onSchedule={(changes) => composer.set({ schedule: { ...schedule, ...changes } })}
        />
      )}
    </Stack>
  );
}

type ScheduleInputsProps = {
  schedule: Schedule;
  onSchedule: (changes: Partial<Schedule>) => void;
};

function ScheduleInputs({ schedule, onSchedule }: ScheduleInputsProps) {
  const { date, time, timeZone } = schedule;
  const isPassed = findScheduleFaults(schedule).includes("a time that is still to come");
  return (
    <div className={classes.inputs}>
      <TextInput
        type="date"
        label="Date"
        value={date}
        min={scheduleAt(Date.now(), timeZone).date}
        onChange={({ currentTarget }) => onSchedule({ date: currentTarget.value })}
      />
      <TextInput
        type="time"
        label="Time"
        value={time}
        onChange={({ currentTarget }) => onSchedule({ time: currentTarget.value })}
      />
      <TimeZoneSelect timeZone={timeZone} onTimeZone={(next) => onSchedule({ timeZone: next })} />
      <p className={classes.words} data-passed={isPassed || undefined} role="status">
        {isPassed ? "This time has passed" : scheduleInWords(schedule)}
      </p>
    </div>
  );
}
