import { siteRoutes as contract } from "@ewebal/contract";
import Fastify from "fastify";
import { serializerCompiler, validatorCompiler } from "fastify-type-provider-zod";
import { expect, test } from "vitest";
import { readConfig } from "../config.ts";
import type { App } from "./app-type.ts";
import { siteRoutes } from "./site-routes.ts";

async function read(path: string): Promise<unknown> {
  const app = Fastify() as unknown as App;
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  siteRoutes(app, readConfig({ BRAND: '{"name":"Other"}', EMAIL_RULES: "any", PAYSTACK_SECRET_KEY: "sk_secret", METRICS_TOKEN: "secret" }));
  const response = await app.inject({ url: path });
  expect(response.statusCode).toBe(200);
  expect(response.body).not.toContain("secret");
  return response.json();
}

test("the brand and the rules of the forms come from the configuration, and no secret with them", async () => {
  const { data } = contract.brand.schema.response[200].parse(await read("/api/brand"));
  expect(data).toMatchObject({ name: "Other", emailRules: "any", pageRule: "flat160", isSimulated: true });
});

test("the rates are the charge's own: Nigeria 3, Greece under its own code, every code of the table", async () => {
  const { data } = contract.rates.schema.response[200].parse(await read("/api/rates"));
  expect(data).toContainEqual({ country: "Nigeria", code: "234", rate: 3 });
  expect(data).toContainEqual({ country: "Greece", code: "30", rate: 15.3 });
  expect(data).toContainEqual({ country: "Kenya", code: "254", rate: 5.9 });
  expect(new Set(data.map(({ code }) => code)).size).toBe(144);
});

test("the countries are named once each, in order", async () => {
  const { data } = contract.countries.schema.response[200].parse(await read("/api/countries"));
  expect(data).toContainEqual({ name: "Ireland", code: "353" });
  expect(new Set(data.map(({ name }) => name)).size).toBe(data.length);
});
