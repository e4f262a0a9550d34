-- The words of a remark, for an index. Each letter of the scripts without spaces is a word of its own.
create function remark_words(remark text) returns tsvector language sql immutable parallel safe
  return to_tsvector('simple', regexp_replace(lower(remark), '([^\x01-\x7f])|[^a-z0-9]', ' \1 ', 'g'));
