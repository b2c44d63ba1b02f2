/** What the embedded server needs of a logger. pino's fits. */
export type EmbeddedLog = {
  info: (message: string) => void;
  warn: (message: string) => void;
  error: (message: string) => void;
};
