-- A member's row keeps the mailbox that was invited. Who has joined answers under the e-mail that they have now, and the mailbox may be another person's since:
-- only invitations are one for each mailbox.
alter table account_member drop constraint account_member_user_id_email_key;
create unique index account_member_invitation on account_member (user_id, email) where person_id is null;
