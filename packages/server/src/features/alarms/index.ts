/** Alarms: what an operator must know, and what of it everybody may know. */
export { alarmRoutes } from "./alarm-routes.ts";
export { countOpenAlarms, selectOpenAlarms } from "./alarm-store.ts";
export { postAlarmQueue } from "./post-alarm.ts";
export { statusRoutes } from "./status-routes.ts";
export { createAlarmQueue, type AlarmReadings, type ReadAlarms } from "./watch-alarms.ts";
