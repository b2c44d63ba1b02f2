-- Messages from phones, as carriers handed them over: stored before the carrier is told that it may forget them.
create table inbound_message (
  inbound_id uuid primary key,
  carrier_id smallint not null references carrier (carrier_id),
  -- Digits with the country code and no plus, or the short code or name that it is.
  from_address text not null,
  to_address text not null,
  body text not null,
  received_at timestamptz not null
);
comment on table inbound_message is 'directory: messages from phones that are nobody''s';

-- Parts of long ones, in octets: a phone may cut a character in two. Joined ones stay a day, so that one that comes again is known.
create table inbound_part (
  part_id uuid primary key,
  carrier_id smallint not null references carrier (carrier_id),
  from_address text not null,
  to_address text not null,
  reference integer not null,
  part_count smallint not null,
  part_number smallint not null check (part_number between 1 and part_count),
  data_coding smallint not null,
  octets bytea not null,
  is_joined boolean not null default false,
  received_at timestamptz not null
);
comment on table inbound_part is 'directory: parts of long messages from phones';
create unique index inbound_part_same on inbound_part (carrier_id, from_address, to_address, reference, part_count, part_number, md5(octets));
create index inbound_part_joined on inbound_part (received_at) where is_joined;
create index inbound_part_open on inbound_part (carrier_id, from_address, to_address, reference, part_count) where not is_joined;
