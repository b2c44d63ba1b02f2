-- How many calls a second a customer's programs may make; null: as everybody.
alter table app_user add column calls_per_second integer constraint app_user_calls_per_second_check check (calls_per_second between 1 and 10000);
