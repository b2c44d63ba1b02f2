import { TextInput } from "@mantine/core";
import type { FormState } from "../../../ui/forms/form.tsx";
import { NativeSelect } from "../../../ui/forms/native-select.tsx";
import { Stack } from "../../../ui/layout/boxes.tsx";
import classes from "./carriers-page.module.css";

/** Descriptions are below their fields, so that fields side by side are aligned. */
export const below = ["label", "input", "error", "description"] as const;

type RouteForm = Pick<FormState<Record<string, string>>, "values" | "set" | "field">;

/** Which messages a carrier gets, whatever protocol it speaks. */
export function RouteFields({ form }: { form: RouteForm }) {
  return (
    <fieldset className={classes.set}>
      <legend>Which messages this carrier gets</legend>
      <TextInput
        label="Prefixes"
        inputWrapperOrder={[...below]}
        description="First digits of numbers, such as 234803, 234806. Leave empty for all numbers."
        inputMode="numeric"
        autoComplete="off"
        {...form.field("prefixes")}
      />
      <Stack gap={16} className={classes.pair}>
        <NativeSelect
          label="Message classes"
          name="classes"
          value={form.values["classes"] ?? ""}
          onValue={(chosen) => form.set("classes", chosen)}
        >
          <option value="both">Promotional and transactional</option>
          <option value="promotional">Promotional only</option>
          <option value="transactional">Transactional only</option>
        </NativeSelect>
        <NativeSelect
          label="DND numbers"
          name="reachesDnd"
          value={form.values["reachesDnd"] ?? ""}
          onValue={(chosen) => form.set("reachesDnd", chosen)}
        >
          <option value="off">Not reached</option>
          <option value="on">Reached by transactional messages</option>
        </NativeSelect>
      </Stack>
      <Stack gap={16} className={classes.pair}>
        <TextInput
          label="Weight"
          inputWrapperOrder={[...below]}
          description="Its share among carriers that tie."
          inputMode="decimal"
          autoComplete="off"
          {...form.field("weight")}
        />
        <TextInput
          label="Priority"
          inputWrapperOrder={[...below]}
          description="The lowest number goes first."
          inputMode="numeric"
          autoComplete="off"
          {...form.field("priority")}
        />
      </Stack>
    </fieldset>
  );
}
