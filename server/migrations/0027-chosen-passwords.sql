-- The password was set by somebody else: at the next sign-in with it the account chooses another one.
alter table accounts add column must_choose_password boolean not null default false;
