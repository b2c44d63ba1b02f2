import { readDraftJson, readEditScheduledJson, readProgramJson, readScheduleJson, readSendFields, readSendJson } from "./read-send.ts";

/** What a body can be read as, in this thread or in `body-worker.ts`; with the rates, whose codes decide whose a number is. */
export const bodyTasks = {
  "send-json": readSendJson,
  "program-json": readProgramJson,
  "schedule-json": readScheduleJson,
  "edit-scheduled-json": readEditScheduledJson,
  "send-fields": readSendFields,
  "draft-json": readDraftJson,
};

export type BodyTaskName = keyof typeof bodyTasks;
export type BodyTaskInput<Name extends BodyTaskName> = Parameters<(typeof bodyTasks)[Name]>[0];
export type BodyTaskResult<Name extends BodyTaskName> = ReturnType<(typeof bodyTasks)[Name]>;
export type BodyTaskValue<Name extends BodyTaskName> = Extract<BodyTaskResult<Name>, { kind: "read" }>["value"];
