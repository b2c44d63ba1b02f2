/** A thread that reads large bodies, so that the web server answers others meanwhile. */
import { serveBodyTasks } from "../../../http/bounds/serve-body-tasks.ts";
import { bodyTasks } from "./body-tasks.ts";

serveBodyTasks(bodyTasks);
