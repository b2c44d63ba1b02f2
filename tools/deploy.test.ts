/** What `deploy/` says of the program is true. `npm run try-deploy` uses it. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { limits } from "@ewebal/contract";
import { expect, test } from "vitest";
import { variables } from "../packages/server/src/base/config.ts";
import { repositoryFolder } from "./source-files.ts";

const read = (name: string): string => readFileSync(join(repositoryFolder, "deploy", name), "utf8");
const units = readdirSync(join(repositoryFolder, "deploy/systemd"));
const [containerfile, compose, caddy, nginx] = ["Containerfile", "compose.yaml", "Caddyfile", "nginx.conf"].map(
  read,
) as [string, string, string, string];

/** What is of Node, PostgreSQL or Caddy. */
const OF_OTHERS = /^(?:NODE_|POSTGRES_|SITE$|UPSTREAMS$)/;

test("every setting that is given exists", () => {
  const environmentOf = (name: string): string => /^Environment=(.*)$/m.exec(read(`systemd/${name}`))?.[1] ?? "";
  const given = [
    read("ewebal.env.example").matchAll(/^([A-Z_]+)=/gm),
    compose.matchAll(/^ {2}([A-Z_]+): \{ file:/gm),
    compose.matchAll(/environment: \{ ([A-Z_]+):/g),
    (/^ENV (.*)$/m.exec(containerfile)?.[1] ?? "").matchAll(/([A-Z_]+)=/g),
    ...units.map((name) => environmentOf(name).matchAll(/([A-Z_]+)=/g)),
  ].flatMap((matches) => [...matches].map(([, name = ""]) => name));
  expect(given.length).toBeGreaterThan(20);
  expect(given.filter((name) => !(name in variables) && !OF_OTHERS.test(name))).toEqual([]);
});

test("each value that is given for a trial or a first start is one that the program takes", () => {
  for (const [, name = "", value = ""] of read("ewebal.env.example").matchAll(/^([A-Z_]+)=(.*)$/gm))
    expect(() => variables[name as keyof typeof variables].read(value.replaceAll('"', "")), name).not.toThrow();
  for (const name of units) {
    const [, role = ""] = /^ewebal-(\w+)\.service$/.exec(name) ?? [];
    expect(read(`systemd/${name}`)).toContain(`Environment=ROLES=${role} `);
    expect([...(variables.ROLES.read(role) ?? [])]).toEqual([role]);
  }
});

test("one port is meant everywhere, and bodies of the program's size pass the proxies", () => {
  const port = variables.PORT.default;
  expect(containerfile).toContain(`PORT=${port} `);
  expect(containerfile).toContain(`EXPOSE ${port}\n`);
  for (const text of [compose, nginx])
    expect(
      new Set([...text.matchAll(/(?:web-\d|127\.0\.0\.1|10\.0\.0\.\d+):(\d+)/g)].map(([, found]) => found)),
    ).toEqual(new Set([port]));
  const largest = Math.max(limits.sendBodyBytesMax, limits.contactFileBytesMax, limits.receiptBytesMax);
  expect(Number(/client_max_body_size (\d+)m;/.exec(nginx)?.[1]) * 1024 * 1024).toBeGreaterThan(largest);
  expect(Number(/max_size (\d+)MB/.exec(caddy)?.[1]) * 1_000_000).toBeGreaterThan(largest);
});

test("no proxy asks a second process what a first may have done", () => {
  expect(nginx.replaceAll(/#.*/g, "")).not.toContain("non_idempotent");
  expect(nginx).toMatch(/location ~ \^\/api\/\(\?:send-bulk-sms\/[^{]+\{\s+proxy_next_upstream off;/);
  expect(caddy).toMatch(
    /reverse_proxy @once .+\s+import processes\s+lb_retry_match \{\s+not path \*\s+\}\s+transport http \{\s+keepalive off/,
  );
});

test("the image has what its steps name, and lets nothing in that is ignored", () => {
  const ignored = read("Containerfile.dockerignore").split("\n");
  const copied = [...containerfile.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, names = ""]) =>
    names.split(" "),
  );
  expect(copied.filter((name) => !existsSync(join(repositoryFolder, name)))).toEqual([]);
  expect(copied.filter((name) => !ignored.includes(`!${name}`))).toEqual([]);
  expect(containerfile).toMatch(/^USER 10001:10001$/m);
  expect(containerfile).toContain("npm ci --omit=dev");
});

test("every unit is hardened", () => {
  for (const name of units)
    for (const line of [
      "NoNewPrivileges=yes",
      "ProtectSystem=strict",
      "CapabilityBoundingSet=",
      "ProtectHome=yes",
      "User=ewebal",
      // Without netlink a process that listens on 0.0.0.0 ends.
      "RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK",
    ])
      expect(read(`systemd/${name}`).split("\n"), name).toContain(line);
});
