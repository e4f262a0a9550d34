/** Nothing that anybody would see: spaces, and letters that are not drawn. Its twin in the browser: chat/blank.ts. */
export const isBlank = (text: string): boolean => !/[^\s\p{Default_Ignorable_Code_Point}\p{Cc}\u2800]/u.test(text)
