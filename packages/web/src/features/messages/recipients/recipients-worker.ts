import { RecipientsDesk, type DeskTask } from "./recipient-lists.ts";

const desk = new RecipientsDesk();

self.addEventListener("message", ({ data }: MessageEvent<DeskTask>) => {
  const answer = desk.handle(data);
  if (answer !== undefined) self.postMessage(answer);
});
