/** Roles that may make a call (policy.ts). */
export const everyone = { roles: [1, 2, 3, 4] } as const
export const office = { roles: [1, 2, 3] } as const
export const heads = { roles: [1, 2] } as const
export const admin = { roles: [1] } as const
export const member = { roles: [4] } as const
