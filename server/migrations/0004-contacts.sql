-- What a group calls its partner, instead of the partner's own nickname, and whether it keeps the partner among its contacts.
alter table rooms add alias text not null default '';
alter table rooms add contact_status smallint not null default 1 check (contact_status in (0, 1));
