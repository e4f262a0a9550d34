-- How the rooms of a group look to those in them. A group without a row has that of the nearest account above.
create table settings (
  account_id integer primary key references accounts,
  top_id integer not null,
  name text not null default '' check (length(name) <= 50),
  background_image_id text references media,
  -- '' or #rrggbb.
  background_color text not null default '' check (background_color ~ '^(#[0-9a-f]{6})?$'),
  header_background_color text not null default '' check (header_background_color ~ '^(#[0-9a-f]{6})?$'),
  header_font_color text not null default '' check (header_font_color ~ '^(#[0-9a-f]{6})?$'),
  -- Where the platform hears of what happens; of a top account only.
  api_url text not null default '' check (length(api_url) <= 300),
  updated_at timestamptz not null default now()
);
