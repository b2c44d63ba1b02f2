/** The settings of the embedded server, for two cores and a machine that also runs everything else. */

export type Settings = Record<string, string | number | boolean>;

const SETTINGS: Settings = {
  // Only this machine, and only TCP: a socket file would need a folder that both users can reach.
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  password_encryption: "scram-sha-256",
  // Two processes with a pool of ten each, job runner and listeners are 27; a second host on this machine brings as many, as in an
  // upgrade, and a third in tests. Each idle one costs 2 MB, one that is not used next to nothing.
  max_connections: 100,

  // An acknowledged commit is on the disk: "no message twice, no unit lost" depends on it.
  synchronous_commit: "on",
  full_page_writes: true,
  // The first change of a page after a checkpoint logs the whole page. Compression cuts the log of a big send to a third.
  wal_compression: "pglz",
  // Checkpoints are rare enough not to slow down a send, and frequent enough that recovery after a kill takes seconds.
  max_wal_size: "1GB",
  checkpoint_timeout: "10min",

  shared_buffers: "256MB",
  effective_cache_size: "1GB",
  work_mem: "8MB",
  maintenance_work_mem: "64MB",
  // On solid-state disks the default of 4 makes the planner avoid indexes.
  random_page_cost: 1.1,
  // Parallel workers would take the second core from the dispatcher, and need /dev/shm, which has 64 MB in containers.
  max_parallel_workers_per_gather: 0,
  max_parallel_maintenance_workers: 0,
  // The queries are short: compiling them would cost more than it saves.
  jit: false,

  // Rows of queues and leases change many times a day, so vacuum starts after 2 % of change, not after 20 %.
  autovacuum_naptime: "15s",
  autovacuum_vacuum_scale_factor: 0.02,
  autovacuum_analyze_scale_factor: 0.02,

  timezone: "UTC",
  log_timezone: "UTC",
  // `postmaster.ts` reads messages in this language.
  lc_messages: "C",
  log_line_prefix: "%m [%p] %a ",
  log_min_messages: "warning",
  // Without DETAIL, which quotes rows: a log must not hold numbers and addresses of customers.
  log_error_verbosity: "terse",
  log_min_duration_statement: "2s",
  // A slow statement is logged without the values it was given.
  log_parameter_max_length: 0,
  log_checkpoints: false,
  track_io_timing: true,
};

/** Every session proves that it knows the password, and comes from this machine. */
export const HBA_CONF = "host all all 127.0.0.1/32 scram-sha-256\n";

export function renderSettings(overrides: Settings): string {
  const lines = Object.entries({ ...SETTINGS, ...overrides }).map(
    ([name, value]) => `${name} = '${renderValue(value)}'\n`,
  );
  return `# Written anew at each start. Use ALTER SYSTEM for settings of your own; they win over these.\n${lines.join("")}`;
}

function renderValue(value: string | number | boolean): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  return String(value).replaceAll("'", "''");
}

/** The part of a logger that the embedded server uses; pino's fits. */
export type EmbeddedLog = {
  info: (message: string) => void;
  warn: (message: string) => void;
  error: (message: string) => void;
};
