-- The number to which a code is sent when a member has forgotten its password. It is no second factor. A pending number
-- counts for nothing until a code has confirmed it.
create table recovery_phones (
  account_id integer primary key references accounts,
  top_id integer not null,
  phone text,
  pending text
);

alter table passkey_challenges drop constraint passkey_challenges_purpose_check,
  add constraint passkey_challenges_purpose_check
    check (purpose in ('sign-in', 'second-step', 'add', 'proof', 'proved', 'recovery'));
