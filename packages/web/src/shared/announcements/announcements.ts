import type { AnnouncementAnswer } from "@ewebal/contract";
import { announcementCalls } from "@ewebal/contract/calls";
import { call } from "../../lib/api/api.ts";
import { useCursorList, type CursorList } from "../../lib/api/use-cursor-list.ts";

/** Announcements, newest first. The event topic "announcements" refreshes them: a new one is on every open page at once. */
export function useAnnouncements(): CursorList<AnnouncementAnswer> {
  return useCursorList({
    queryKey: ["announcements"],
    read: async (after, signal) =>
      await call(announcementCalls.viewGeneralAnnouncement, { query: { limit: "10", after }, signal }),
  });
}
