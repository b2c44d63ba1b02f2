import type { AnnouncementAnswer, announcementRoutes } from "@ewebal/contract";
import { call, type RouteAddress } from "../../lib/api/api.ts";
import { useCursorList, type CursorList } from "../../lib/api/use-cursor-list.ts";

/** Without its schemas, see `public-routes.ts`. */
const viewGeneralAnnouncement: RouteAddress<typeof announcementRoutes.viewGeneralAnnouncement> = {
  method: "GET",
  url: "/api/view-general-announcement",
};

/** Announcements, newest first. The event topic "announcements" refreshes them: a new one is on every open page at once. */
export function useAnnouncements(): CursorList<AnnouncementAnswer> {
  return useCursorList({
    queryKey: ["announcements"],
    read: async (after, signal) => await call(viewGeneralAnnouncement, { query: { limit: "10", after }, signal }),
  });
}
