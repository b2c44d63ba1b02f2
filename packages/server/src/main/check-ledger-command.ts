/** `npm run check-ledger -- WHICH`. */
import { runCommand } from "../backup/run-command.ts";
import { auditAndSeal, checkEverything } from "../features/billing/index.ts";

const HELP = `npm run check-ledger -- all | seal

Checks every rule of the ledger over all time, while the product works. The nightly audit checks from its sealed point on.
  all    checks, and changes nothing
  seal   checks, and seals everything anew when it holds: after the audit said that the sealed point is not as it was left, and you know why
         (another SECRETS_KEY, a restore, somebody at the tables)
Ends with 0 when every rule holds, else with 1 and the rules that do not.`;

await runCommand(
  {
    help: HELP,
    failure: "The ledger was not found in order",
    argument: "of all and seal",
    hasTarget: false,
    run: async (which, tools) => {
      if (which !== "all" && which !== "seal") throw new Error(`${which} is neither all nor seal; --help lists them`);
      const checks =
        which === "all" ? await checkEverything(tools) : (await auditAndSeal(tools, { isAnew: true })).checks;
      const broken = checks.filter(({ violations }) => violations > 0);
      if (broken.length > 0)
        throw new Error(broken.map(({ name, violations }) => `${name}: ${violations} do not hold`).join("; "));
      return `All ${checks.length} rules hold${which === "seal" ? ", and everything is sealed up to now" : ""}.`;
    },
  },
  process.argv.slice(2),
);
