import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Deps } from "../../../../base/deps.ts";
import type { App } from "../../../../http/app-type.ts";
import type { TellInbox } from "../../inbound/store-inbound.ts";
import { createReportTaker } from "./take-reports.ts";

/** Providers bring a hundred reports of some 600 bytes at a time. */
const REPORT_BYTES_MAX = 512 * 1024;
const params = z.object({ secret: z.string() });

/**
 * `POST /carrier-reports/{secret}`: what carriers over HTTP report, as JSON or a form. The secret names the carrier; whoever does not know it is told
 * that there is nothing. The API reference is for customers: it leaves these addresses out.
 */
export async function carrierReportRoutes(app: App, deps: Deps, tellInbox?: TellInbox): Promise<void> {
  const takeReports = createReportTaker(deps, tellInbox);
  await app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: REPORT_BYTES_MAX }, (_request, body, done) =>
      done(null, body),
    );
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      const { secret } = request.params as z.infer<typeof params>;
      const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const text = bytes.toString("utf8");
      // Some providers send JSON and call it nothing, or text.
      const isForm = !/json/i.test(request.headers["content-type"] ?? "") && !/^\s*[[{]/.test(text);
      await takeReports({ secret, text, isForm, bytes, headers: request.headers });
      return await reply.send({ message: "Recorded" });
    };
    for (const url of ["/carrier-reports/:secret", "/api/carrier-reports/:secret"])
      scope.route({ method: "POST", url, schema: { params, hide: true }, bodyLimit: REPORT_BYTES_MAX, handler });
  });
}
