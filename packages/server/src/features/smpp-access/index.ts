/** What the roles may call of the SMPP server for customers. */
export { startSmppAccess, type AccessOptions, type SmppAccess } from "./start-smpp-access.ts";
export { ensureSmppCertificate } from "./tls-certificate.ts";
export { tellSmppClients } from "./deliveries/make-receipts.ts";
