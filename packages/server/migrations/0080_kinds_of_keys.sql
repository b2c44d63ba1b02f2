-- Keys of three kinds: for the API, for Twilio's clients and for SMPP. Those that exist are for the API, live, and have every scope.
alter table api_key
  add column kind text not null default 'api' constraint api_key_kind_check check (kind in ('api', 'twilio', 'smpp')),
  add column mode text not null default 'live' constraint api_key_mode_check check (mode in ('live', 'test')),
  add column scopes text[] not null default '{messages:send,messages:read,contacts,billing:read,webhooks,inbox}',
  -- Single addresses and networks (CIDR) that the key works from; empty: from anywhere.
  add column addresses text[] not null default '{}',
  -- Twilio's account sid, or SMPP's system id. A key for the API has none: its hash finds it.
  add column public_name text,
  -- Connections that an SMPP key may have at once, and messages that it may hand over in a second.
  add column binds integer constraint api_key_binds_check check (binds between 1 and 20),
  add column per_second integer constraint api_key_per_second_check check (per_second between 1 and 10000),
  add column last_used_from text,
  -- Twilio's token signs callbacks, so that it must be readable again. An SMPP password has 8 characters, too few for a plain hash.
  add column sealed_secret bytea;

-- A password of SMPP is only sealed. The release before always writes a hash, so it is not touched by this.
alter table api_key alter column key_hash drop not null;
alter table api_key add constraint api_key_secret_check check (
  case kind
    when 'api' then key_hash is not null and public_name is null and sealed_secret is null
    when 'twilio' then key_hash is not null and public_name is not null and sealed_secret is not null
    else key_hash is null and public_name is not null and sealed_secret is not null
  end
);
create unique index api_key_public_name on api_key (public_name) where public_name is not null;
