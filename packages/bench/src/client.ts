import { measureNpmClient, measureOwnClient } from "@ewebal/smpp/bench/client";
import { buildSmscsim } from "@ewebal/smpp/testing/smscsim";
import { printTable, type Row } from "./print.ts";

const SUBMITS = 500_000;

/** The SMPP client alone, beside npm `smpp`, in turns against one carrier; every submit with its receipt. */
export async function measureClients(): Promise<void> {
  const build = buildSmscsim("-O2");
  if (typeof build === "string") throw new Error(build);
  const simulator = await build.start();
  const rows: Row[] = [];
  try {
    // The first run compiles the hot path.
    await measureOwnClient({ port: simulator.port, window: 100, submits: 50_000 });
    for (const window of [10, 100, 1_000]) {
      const own = await measureOwnClient({ port: simulator.port, window, submits: SUBMITS });
      const npm = await measureNpmClient({ port: simulator.port, window, submits: SUBMITS / 10 });
      rows.push({
        window,
        "own submits/s": own.submitsPerSecond,
        "npm smpp submits/s": npm.submitsPerSecond,
        ratio: own.submitsPerSecond / npm.submitsPerSecond,
        "own CPU us": own.cpuUsPerSubmit,
        "npm smpp CPU us": npm.cpuUsPerSubmit,
      });
    }
  } finally {
    await simulator.stop();
    build.remove();
  }
  printTable("SMPP client alone, with receipts", rows);
}
