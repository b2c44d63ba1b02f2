import { invoiceRoutes as contract, MILLI_PER_UNIT, type InvoiceAnswer } from "@ewebal/contract";
import type { FastifyReply } from "fastify";
import type { Deps } from "../../../base/deps.ts";
import type { App } from "../../../http/app-type.ts";
import { requireCustomerOrAdmin } from "../../../http/session/session.ts";
import { invoiceDocument } from "./invoice-document.ts";
import { getInvoice, invoiceNumber, listInvoices, type Invoice } from "./issue-invoice.ts";

/** Invoices of payments, for the customer and for administrators. */
export function invoiceRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.invoices,
    onRequest: requireCustomerOrAdmin,
    handler: async ({ params: { userId }, query }) => {
      const { rows, next } = await listInvoices(deps.db, userId, query);
      return { data: rows.map(presentInvoice), next };
    },
  });
  app.route({
    ...contract.invoice,
    onRequest: requireCustomerOrAdmin,
    handler: async ({ params }, reply) => {
      const invoice = await getInvoice(deps.db, params);
      const file = (reply as unknown as FastifyReply)
        .type("application/pdf")
        .header("cache-control", "private, no-store")
        .header("content-disposition", `attachment; filename="invoice-${invoiceNumber(invoice)}.pdf"`);
      return await file.send(await invoiceDocument(deps.config.brand, invoice));
    },
  });
}

function presentInvoice(invoice: Invoice): InvoiceAnswer {
  return {
    _id: invoice.invoiceId,
    number: invoiceNumber(invoice),
    createdAt: invoice.issuedAt.toISOString(),
    kind: invoice.kind,
    reference: invoice.reference,
    seller: { name: invoice.sellerName, address: invoice.sellerAddress },
    buyer: { name: invoice.buyerName, email: invoice.buyerEmail },
    units: invoice.unitsMilli / MILLI_PER_UNIT,
    net: invoice.netKobo / 100,
    vat: invoice.vatKobo / 100,
    vatPercent: invoice.vatBasisPoints / 100,
    gross: invoice.grossKobo / 100,
    currency: "NGN",
  };
}
