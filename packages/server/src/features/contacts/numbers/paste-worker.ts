/** A thread that reads large pasted lists, so that the web server answers others meanwhile. */
import { serveBodyTasks } from "../../../http/bounds/serve-body-tasks.ts";
import { pasteTasks } from "./paste-tasks.ts";

serveBodyTasks(pasteTasks);
