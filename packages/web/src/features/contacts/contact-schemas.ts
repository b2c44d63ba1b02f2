import { contactRoutes } from "@ewebal/contract";

export const contactSchemas = {
  createCatalog: contactRoutes.createCatalog.schema.body,
  editCatalog: contactRoutes.editCatalog.schema.body,
};
