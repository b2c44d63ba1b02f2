-- `distribute` goes by what each table says of itself.
comment on table content_rule is 'directory: what may be sent, as administrators keep it';
comment on table quiet_hours is 'directory: hours in which promotional messages leave, by country';
