import { depositFieldsSchema } from "@ewebal/contract";

export const depositSchemas = { deposit: depositFieldsSchema };
