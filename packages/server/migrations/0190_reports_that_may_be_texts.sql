-- A report that nothing but its words says to be one may be a text from a phone. While its id is looked for, the text is kept with it: {from, to, body}.
alter table early_report add column possible_text jsonb;
