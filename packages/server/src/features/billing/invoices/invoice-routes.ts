import { invoiceRoutes as contract, MILLI_PER_UNIT, type InvoiceAnswer } from "@ewebal/contract";
import type { FastifyReply } from "fastify";
import type { Deps } from "../../../base/deps.ts";
import type { App } from "../../../http/app-type.ts";
import { requireCustomerOrAdmin } from "../../../http/session/session.ts";
import { creditNoteDocument, invoiceDocument } from "./invoice-document.ts";
import { creditNoteNumber, getInvoice, invoiceNumber, listInvoices, type CorrectedInvoice } from "./issue-invoice.ts";

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
      const { invoice, note } = await getInvoice(deps.db, params);
      const { brand } = deps.config;
      const document = note === undefined ? invoiceDocument(brand, invoice) : creditNoteDocument(brand, invoice, note);
      const name = note === undefined ? `invoice-${invoiceNumber(invoice)}` : `credit-note-${creditNoteNumber(note)}`;
      const file = (reply as unknown as FastifyReply)
        .type("application/pdf")
        .header("cache-control", "private, no-store")
        .header("content-disposition", `attachment; filename="${name}.pdf"`);
      return await file.send(await document);
    },
  });
}

function presentInvoice(invoice: CorrectedInvoice): InvoiceAnswer {
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
    corrections: invoice.corrections.map((note) => ({
      _id: note.creditNoteId,
      number: creditNoteNumber(note),
      createdAt: note.issuedAt.toISOString(),
      net: note.netKobo / 100,
      vat: note.vatKobo / 100,
      gross: note.grossKobo / 100,
    })),
  };
}
