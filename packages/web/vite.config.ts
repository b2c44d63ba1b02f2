import { defineConfig } from "vite";
import react from "@vitejs/plugin-react";

const apiAddress = process.env["EWEBAL_API"] ?? "http://127.0.0.1:8080";

/** The contract's modules only describe; one that nobody asks for stays out, and zod (23 kB) with it. */
const treeshake = { moduleSideEffects: [{ test: /packages\/(contract|gsm)\//, sideEffects: false }] };

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    outDir: "dist",
    target: "es2023",
    // Nothing becomes a data: address, so the CSP needs no exception for one.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      treeshake,
      output: {
        // React changes only with its version, so it lies in a file that stays cached over releases. Nothing else is
        // grouped by hand: a group takes in what any page needs of a library, and every first visit would carry it.
        codeSplitting: { groups: [{ name: "react", test: /node_modules\/(react|react-dom|scheduler)\// }] },
      },
    },
  },
  worker: { format: "es", rolldownOptions: { treeshake } },
  server: { host: "127.0.0.1", proxy: { "/api": apiAddress, "/mailbox": apiAddress } },
});
