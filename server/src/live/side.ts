/** The two sides of a room: everyone of the group, or its one partner. */
export type Side = 'group' | 'partner'
