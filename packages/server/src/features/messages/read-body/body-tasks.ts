import {
  readDraftJson,
  readEditScheduledJson,
  readProgramJson,
  readScheduleJson,
  readSendFields,
  readSendJson,
} from "./read-send.ts";

/** What the body of a send can be read as, in this thread or in `body-worker.ts`. */
export const bodyTasks = {
  "send-json": readSendJson,
  "program-json": readProgramJson,
  "schedule-json": readScheduleJson,
  "edit-scheduled-json": readEditScheduledJson,
  "send-fields": readSendFields,
  "draft-json": readDraftJson,
};

export const bodyWorkerUrl = new URL("./body-worker.ts", import.meta.url);
