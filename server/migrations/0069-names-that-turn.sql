-- Characters that cannot be seen and turn the direction of the text beside them: an amount after such a name reads
-- backwards. New names lose them when they are saved (`Nickname` in contract/fields.ts).
update accounts set nickname = trim(regexp_replace(nickname, '[\u0001-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]', '', 'g'))
  where nickname ~ '[\u0001-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]';
