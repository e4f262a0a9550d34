-- The size of the database at the end of each day, so that its growth is known.
create table database_sizes (day date primary key, bytes bigint not null);
