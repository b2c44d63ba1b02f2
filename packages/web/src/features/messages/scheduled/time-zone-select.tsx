import { Select, type ComboboxItem, type OptionsFilter } from "@mantine/core";
import { useState } from "react";
import { DEFAULT_TIME_ZONE, nameZone } from "./schedule.ts";
import classes from "./time-zone-select.module.css";

/** An option, because a list box without any is no list box to a screen reader. */
const nothing: ComboboxItem = { value: "none", label: "No time zone matches", disabled: true };

/** By any part of the name, with spaces or underscores. */
export const filterTimeZones: OptionsFilter = ({ options, search }) => {
  const wanted = nameZone(search).trim().toLowerCase();
  // The chosen name is no search.
  if (wanted === "" || options.some((option) => "value" in option && option.label === search)) return options;
  const found = options.filter((option) => "value" in option && option.label.toLowerCase().includes(wanted));
  return found.length > 0 ? found : [nothing];
};

/** Lagos first, then where this device is, then all the others by name. */
export function listTimeZones(deviceZone: string = new Intl.DateTimeFormat().resolvedOptions().timeZone): string[] {
  return [...new Set([DEFAULT_TIME_ZONE, deviceZone, "UTC", ...Intl.supportedValuesOf("timeZone")])];
}

type TimeZoneSelectProps = {
  timeZone: string;
  onTimeZone: (timeZone: string) => void;
};

/** Whose clocks are meant. */
export function TimeZoneSelect({ timeZone, onTimeZone }: TimeZoneSelectProps) {
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
      classNames={{ options: classes.options }}
      onFocus={() => setZones(listTimeZones())}
      onClick={({ currentTarget }) => {
        // What is typed next is a search, not the end of the chosen name.
        if (currentTarget.value === nameZone(timeZone)) currentTarget.select();
      }}
      autoComplete="off"
    />
  );
}
