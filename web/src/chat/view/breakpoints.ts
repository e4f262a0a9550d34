/** Below this width only the list is shown, or only the room. */
export const SMALL = '(max-width: 767px)'
