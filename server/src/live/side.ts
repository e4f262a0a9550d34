/** Rooms and messages as somebody sees them. */
export type Side = 'group' | 'partner'
