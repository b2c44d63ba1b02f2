/**
 * The schema as SQL, read from PostgreSQL's catalogs: what all migrations together make, for people to read and for a
 * test to compare. It says the same on every supported version and can be loaded into an empty database.
 */
import type { Db } from "../db/pool.ts";

const HEADER = `-- What the migrations make, written by \`npm run schema -w packages/server\`. Read it, never run or edit it.
set check_function_bodies = off;
`;

/** Objects in the order in which they were made, so that each finds what it is made of; then what ties them together. */
export async function dumpSchema(db: Db): Promise<string> {
  await assertAllKnown(db);
  const parts = [
    ...(await list(db, EXTENSIONS)),
    ...(await list(db, ENUMS)),
    ...(await dumpObjects(db)),
    ...(await list(db, VIEWS)),
    ...(await list(db, FOREIGN_KEYS)),
    ...(await list(db, TRIGGERS)),
  ];
  return [HEADER, ...parts].join("\n");
}

type MadeObject = { oid: number; kind: "table" | "text"; text: string };

async function dumpObjects(db: Db): Promise<string[]> {
  const { rows } = await db.query<MadeObject>(OBJECTS);
  const texts: string[] = [];
  for (const { oid, kind, text } of rows) {
    if (kind === "text") texts.push(`${text.trimEnd()}\n`);
    else texts.push(await dumpTable(db, oid, text));
  }
  return texts;
}

type TableHead = { opening: string; partition: string | null; closing: string };

async function dumpTable(db: Db, oid: number, name: string): Promise<string> {
  const { rows: heads } = await db.query<TableHead>(TABLE_HEAD, [oid]);
  const { opening = "", partition = null, closing = "" } = heads[0] ?? {};
  const lines = [...(await list(db, COLUMNS, oid)), ...(await list(db, CONSTRAINTS, oid))];
  const body = partition ?? ` (\n${lines.map((line) => `  ${line}`).join(",\n")}\n)`;
  const after = [
    ...(await list(db, STORAGE, oid)),
    ...(await list(db, INDEXES, oid)),
    ...(await list(db, COMMENTS, oid)),
  ];
  return [`${opening} ${name}${body}${closing};\n`, ...after].join("");
}

async function list(db: Db, query: string, oid?: number): Promise<string[]> {
  const { rows } = await db.query<{ text: string }>(query, oid === undefined ? [] : [oid]);
  return rows.map((row) => row.text);
}

/** @throws Error for kinds of objects that this file does not write: they would change without the test noticing. */
async function assertAllKnown(db: Db): Promise<void> {
  const unknown = await list(db, UNKNOWN_OBJECTS);
  if (unknown.length === 0) return;
  throw new Error(`schema-dump.ts cannot write these yet; teach it, or do without them: ${unknown.join(", ")}`);
}

/** Objects of extensions are made by the extension. */
const OF_NO_EXTENSION = (oid: string): string =>
  `not exists (select from pg_depend extension_part where extension_part.objid = ${oid} and extension_part.deptype = 'e')`;

const UNKNOWN_OBJECTS = `
  select format('%s (relation of kind %s)', relname, relkind) as text
    from pg_class where relnamespace = 'public'::regnamespace and relkind not in ('r', 'p', 'i', 'I', 'v', 'S', 'c', 't')
  union all
  select format('%s (sequence owned by a column; use "generated as identity")', relname)
    from pg_class join pg_depend on objid = pg_class.oid and deptype = 'a' and refclassid = 'pg_class'::regclass
   where relnamespace = 'public'::regnamespace and relkind = 'S'
  union all
  select format('%s (type of kind %s)', typname, typtype)
    from pg_type where typnamespace = 'public'::regnamespace and typtype not in ('e', 'c') and typelem = 0 and ${OF_NO_EXTENSION("pg_type.oid")}
  union all
  select format('%s (aggregate or window function)', proname)
    from pg_proc where pronamespace = 'public'::regnamespace and prokind not in ('f', 'p') and ${OF_NO_EXTENSION("pg_proc.oid")}
  union all
  select format('%s (rule)', rulename) from pg_rules where schemaname = 'public'
  union all
  select format('%s (policy)', policyname) from pg_policies where schemaname = 'public'
  union all
  select format('%s (child of another table)', relname) from pg_class
   where relnamespace = 'public'::regnamespace and relkind = 'r' and not relispartition
     and exists (select from pg_inherits where inhrelid = pg_class.oid)
  union all
  select format('%s on %s (constraint of one partition)', conname, relname) from pg_constraint join pg_class on pg_class.oid = conrelid
   where relnamespace = 'public'::regnamespace and relispartition and contype <> 'n' and coninhcount = 0
  order by 1`;

const EXTENSIONS = `
  select format(e'create extension %I;\\n', extname) as text from pg_extension where extname <> 'plpgsql' order by extname`;

const ENUMS = `
  select format(e'create type %I as enum (%s);\\n', typname, string_agg(quote_literal(enumlabel), ', ' order by enumsortorder)) as text
    from pg_type join pg_enum on enumtypid = pg_type.oid
   where typnamespace = 'public'::regnamespace and ${OF_NO_EXTENSION("pg_type.oid")}
   group by pg_type.oid, typname order by typname`;

const OBJECTS = `
  select oid::bigint, 'table' as kind, quote_ident(relname) as text
    from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and ${OF_NO_EXTENSION("pg_class.oid")}
  union all
  select oid::bigint, 'text', format('create sequence %I as %s increment %s minvalue %s maxvalue %s start %s cache %s%s;', relname,
           seqtypid::regtype, seqincrement, seqmin, seqmax, seqstart, seqcache, case when seqcycle then ' cycle' end)
    from pg_class join pg_sequence on seqrelid = oid
   where relnamespace = 'public'::regnamespace and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'i')
  union all
  select oid::bigint, 'text', rtrim(pg_get_functiondef(oid), e'\\n') || ';'
         || case when obj_description(oid, 'pg_proc') is null then '' else format(e'\\ncomment on routine %s is %L;', oid::regprocedure, obj_description(oid, 'pg_proc')) end
    from pg_proc where pronamespace = 'public'::regnamespace and ${OF_NO_EXTENSION("pg_proc.oid")}
  order by 1`;

/** A partition has the columns and constraints of its table. */
const TABLE_HEAD = `
  select case relpersistence when 'u' then 'create unlogged table' else 'create table' end as opening,
         case when relispartition then
           (select format(' partition of %s %s', inhparent::regclass, pg_get_expr(relpartbound, pg_class.oid)) from pg_inherits where inhrelid = pg_class.oid)
         end as partition,
         coalesce(' partition by ' || pg_get_partkeydef(oid), '') || coalesce(' with (' || array_to_string(reloptions, ', ') || ')', '') as closing
    from pg_class where oid = $1`;

const COLUMNS = `
  select concat_ws(' ', quote_ident(attname), format_type(atttypid, atttypmod),
           case when attcollation <> typcollation then 'collate ' || attcollation::regcollation end,
           case when attidentity = 'a' then 'generated always as identity' when attidentity = 'd' then 'generated by default as identity' end,
           case attgenerated when 's' then format('generated always as (%s) stored', pg_get_expr(adbin, adrelid))
                             when 'v' then format('generated always as (%s) virtual', pg_get_expr(adbin, adrelid))
                             else 'default ' || pg_get_expr(adbin, adrelid) end,
           case when attnotnull then 'not null' end) as text
    from pg_attribute join pg_type on pg_type.oid = atttypid
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
   where attrelid = $1 and attnum > 0 and not attisdropped
   order by attnum`;

/** NOT NULL stands with its column: only PostgreSQL 18 makes constraints of it. Foreign keys come last of all. */
const CONSTRAINTS = `
  select format('constraint %I %s', conname, pg_get_constraintdef(oid, true)) as text
    from pg_constraint where conrelid = $1 and contype in ('p', 'u', 'x', 'c')
   order by position(contype in 'puxc'), conname`;

/** Columns that are kept otherwise than their type usually is; before PostgreSQL 16 only a statement of its own can say so. */
const STORAGE = `
  select format(e'alter table %s alter column %I set storage %s;\\n', attrelid::regclass, attname,
           case attstorage when 'p' then 'plain' when 'e' then 'external' when 'm' then 'main' else 'extended' end) as text
    from pg_attribute join pg_type on pg_type.oid = atttypid
   where attrelid = $1 and attnum > 0 and not attisdropped and attstorage <> typstorage
   order by attnum`;

const INDEXES = `
  select pg_get_indexdef(indexrelid) || e';\\n' as text
    from pg_index where indrelid = $1
     and not exists (select from pg_constraint where conindid = indexrelid and conrelid = $1 and contype in ('p', 'u', 'x'))
     and not exists (select from pg_inherits where inhrelid = indexrelid)
   order by indexrelid::regclass::text collate "C"`;

const COMMENTS = `
  select case when objsubid = 0 then format(e'comment on table %s is %L;\\n', objoid::regclass, description)
              else format(e'comment on column %s.%I is %L;\\n', objoid::regclass, attname, description) end as text
    from pg_description left join pg_attribute on attrelid = objoid and attnum = objsubid and objsubid > 0
   where objoid = $1 and classoid = 'pg_class'::regclass
   order by objsubid`;

const FOREIGN_KEYS = `
  select format('alter table %s add constraint %I %s;', conrelid::regclass, conname, pg_get_constraintdef(oid, true)) as text
    from pg_constraint where connamespace = 'public'::regnamespace and contype = 'f' and conparentid = 0
   order by conrelid::regclass::text collate "C", conname`;

/** After everything else, and each after the views that it reads: it may have been replaced by one that reads what was made later. */
const VIEWS = `
  with recursive reading as (
    select distinct rule.ev_class as view_oid, read.oid as read_oid
      from pg_depend depends join pg_rewrite rule on depends.classid = 'pg_rewrite'::regclass and depends.objid = rule.oid
        join pg_class read on depends.refclassid = 'pg_class'::regclass and depends.refobjid = read.oid
     where read.relkind = 'v' and read.oid <> rule.ev_class
  ), place (view_oid, depth) as (
    select oid, 0 from pg_class where relkind = 'v'
    union all
    select reading.view_oid, depth + 1 from reading join place on place.view_oid = reading.read_oid
  )
  select format(e'create view %I%s as\\n%s', relname, ' with (' || array_to_string(reloptions, ', ') || ')', pg_get_viewdef(oid, true))
         || case when obj_description(oid, 'pg_class') is null then '' else format(e'\\ncomment on view %I is %L;', relname, obj_description(oid, 'pg_class')) end || e'\\n' as text
    from pg_class where relnamespace = 'public'::regnamespace and relkind = 'v' and ${OF_NO_EXTENSION("pg_class.oid")}
   order by (select max(depth) from place where view_oid = pg_class.oid), oid`;

const TRIGGERS = `
  select pg_get_triggerdef(oid, true) || ';' || case tgenabled
           when 'A' then format(e'\\nalter table %s enable always trigger %I;', tgrelid::regclass, tgname)
           when 'R' then format(e'\\nalter table %s enable replica trigger %I;', tgrelid::regclass, tgname)
           when 'D' then format(e'\\nalter table %s disable trigger %I;', tgrelid::regclass, tgname)
           else '' end as text
    from pg_trigger where not tgisinternal and tgparentid = 0
     and (select relnamespace from pg_class where pg_class.oid = tgrelid) = 'public'::regnamespace
   order by tgrelid::regclass::text collate "C", tgname`;
