import { RecipientLists, type ListsTask } from "./recipient-lists.ts";

const lists = new RecipientLists();

self.addEventListener("message", ({ data }: MessageEvent<ListsTask>) => {
  const answer = lists.handle(data);
  if (answer !== undefined) self.postMessage(answer);
});
