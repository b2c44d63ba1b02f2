import "../ui/styles/public.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";

// zod would try `new Function`, which the CSP refuses and the browser reports as an error. It is fetched later than this runs.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

const root = document.querySelector("#root");
if (root === null) throw new Error("index.html has no #root");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
