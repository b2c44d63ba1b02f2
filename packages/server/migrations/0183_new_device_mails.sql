-- Whether a customer is mailed when somebody signs in from a device that they never used.
alter table notification add column has_new_device_mail boolean not null default true;
