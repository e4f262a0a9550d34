/** True for text of only spaces and characters without a glyph. The server refuses such messages. */
export const isBlank = (text: string): boolean => !/[^\s\p{Default_Ignorable_Code_Point}\p{Cc}\u2800]/u.test(text)
