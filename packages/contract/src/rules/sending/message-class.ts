/** What a message is: advertising waits for quiet hours and leaves out DND numbers, what somebody waits for does neither. */
export const messageClasses = ["promotional", "transactional"] as const;
export type MessageClass = (typeof messageClasses)[number];

/** Whether a transactional message goes to do-not-disturb numbers, where a carrier reaches them. */
export const dndChoices = ["send", "skip"] as const;
export type DndChoice = (typeof dndChoices)[number];
