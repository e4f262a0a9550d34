-- Whether the account has put the first steps of its home page away.
alter table accounts add column first_steps_put_away boolean not null default false;
