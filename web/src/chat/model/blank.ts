/** Nothing that anybody would see: the server sends no such message. */
export const isBlank = (text: string): boolean => !/[^\s\p{Default_Ignorable_Code_Point}\p{Cc}\u2800]/u.test(text)
