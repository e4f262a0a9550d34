-- Outside a transaction, because transfers must be written while the index is made again. Repeatable: it may be cut off.
-- The form that every search compares: `fold` in contract/text/fold.ts says what does not count, and why the two must agree.
create or replace function fold(words text) returns text language plpgsql immutable strict parallel safe as $$
declare
  folded text;
begin
  if octet_length(words) = length(words) and strpos(words, '  ') = 0 and words !~ '[\x01-\x1f]' then
    return lower(words);
  end if;
  folded := regexp_replace(normalize(words, nfkd),
    '[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]', '', 'g');
  folded := normalize(lower(regexp_replace(folded, '([A-Za-z])[\u0300-\u036f]+', '\1', 'g')), nfkc);
  folded := translate(folded, U&'đёς\2010\2011\2012\2013\2014\2015\2212\2018\2019\02bc', 'dеσ-------''''''');
  if folded ~ '[٠-٩۰-۹०-९০-৯௦-௯๐-๙໐-໙၀-၉႐-႙០-៩]' then
    folded := translate(folded,
      '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९০১২৩৪৫৬৭৮৯௦௧௨௩௪௫௬௭௮௯๐๑๒๓๔๕๖๗๘๙໐໑໒໓໔໕໖໗໘໙၀၁၂၃၄၅၆၇၈၉႐႑႒႓႔႕႖႗႘႙០១២៣៤៥៦៧៨៩',
      '0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789');
  end if;
  return regexp_replace(folded, '[\t-\r \u0085\u1680\u2028\u2029]+', ' ', 'g');
end $$;

-- A nickname as searches compare it. The trigger also fills it in what an older copy writes.
alter table accounts add column if not exists nickname_folded text;
create or replace function fold_nickname() returns trigger language plpgsql as $$
begin
  new.nickname_folded := fold(new.nickname);
  return new;
end $$;
create or replace trigger accounts_fold_nickname before insert or update of nickname on accounts
  for each row execute function fold_nickname();

-- Names that are written in another form than people type, or that nobody can see (`visibleName` in contract/text/names.ts).
create or replace function visible_name(words text) returns text language sql immutable strict parallel safe
return case when regexp_replace(words, '[\s\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0]', '', 'g') = ''
  then '' else normalize(words, nfc) end;
-- In batches of 5000 by accounts.id
update accounts set nickname = visible_name(nickname) where id > $1 and id <= $2 and nickname_folded is null;
-- In batches of 5000 by rooms.id
update rooms set alias = visible_name(alias)
  where id > $1 and id <= $2 and alias <> visible_name(alias);
update notes set title = normalize(title, nfc) where title is not nfc normalized;
update templates set title = normalize(title, nfc) where title is not nfc normalized;
update settings set name = visible_name(name) where name <> visible_name(name);
update bank_accounts set account_name = normalize(account_name, nfc) where account_name is not nfc normalized;
update list_views set name = normalize(name, nfc) where name is not nfc normalized;
update passkeys set name = normalize(name, nfc) where name is not nfc normalized;
update banks b set name = normalize(name, nfc) where name is not nfc normalized
  and not exists (select from banks o where o.top_id = b.top_id and o.id <> b.id and fold(o.name) = fold(b.name));
drop function visible_name(text);

-- The words of a remark, folded. Beside an older copy, words with accents are not found until it ends.
create or replace function remark_words(remark text) returns tsvector language sql immutable parallel safe
  return to_tsvector('simple', regexp_replace(fold(remark), '([^\x01-\x7f])|[^a-z0-9]', ' \1 ', 'g'));
drop index concurrently if exists transfers_remark_words_ccnew;
reindex index concurrently transfers_remark_words;
