import { Switch, TextInput, Select, type ComboboxItem, type OptionsFilter } from "@mantine/core";
import { useState } from "react";
import { Stack } from "../../../ui/layout/boxes.tsx";
import { type Composer, useComposition } from "../compose/composer.ts";
import classes from "./schedule-field.module.css";
import {
  findScheduleFaults,
  scheduleAt,
  scheduleInWords,
  type Schedule,
  DEFAULT_TIME_ZONE,
  nameZone,
} from "./schedule.ts";
import { RepeatFields } from "./repeat-fields.tsx";
import timeZoneSelectClasses from "./time-zone-select.module.css";

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
      <RepeatFields schedule={schedule} onSchedule={onSchedule} />
    </div>
  );
}

/** An option, because a list box without any is no list box to a screen reader. */
const nothing: ComboboxItem = { value: "none", label: "No time zone matches", disabled: true };

/** By any part of the name, with spaces or underscores. */
const filterTimeZones: OptionsFilter = ({ options, search }) => {
  const wanted = nameZone(search).trim().toLowerCase();
  // The chosen name is no search.
  if (wanted === "" || options.some((option) => "value" in option && option.label === search)) return options;
  const found = options.filter((option) => "value" in option && option.label.toLowerCase().includes(wanted));
  return found.length > 0 ? found : [nothing];
};

/** Lagos first, then where this device is, then all the others by name. */
function listTimeZones(deviceZone: string = new Intl.DateTimeFormat().resolvedOptions().timeZone): string[] {
  return [...new Set([DEFAULT_TIME_ZONE, deviceZone, "UTC", ...Intl.supportedValuesOf("timeZone")])];
}

type TimeZoneSelectProps = {
  timeZone: string;
  onTimeZone: (timeZone: string) => void;
};

/** Whose clocks are meant. */
function TimeZoneSelect({ timeZone, onTimeZone }: TimeZoneSelectProps) {
  // More than 400 options would otherwise wait unseen.
  const [zones, setZones] = useState<readonly string[]>([timeZone]);
  return (
    <Select
      label="Time zone"
      data={[...new Set([...zones, timeZone])].map((zone) => ({ value: zone, label: nameZone(zone) }))}
      value={timeZone}
      onChange={(next) => next !== null && onTimeZone(next)}
      allowDeselect={false}
      searchable
      selectFirstOptionOnChange
      filter={filterTimeZones}
      withScrollArea={false}
      // Inside the page's landmarks.
      comboboxProps={{ withinPortal: false }}
      classNames={{ options: timeZoneSelectClasses.options }}
      onFocus={() => setZones(listTimeZones())}
      onClick={({ currentTarget }) => {
        // What is typed next is a search, not the end of the chosen name.
        if (currentTarget.value === nameZone(timeZone)) currentTarget.select();
      }}
      autoComplete="off"
    />
  );
}
