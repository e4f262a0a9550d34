import argon2 from '@node-rs/argon2'

/** Hashes at the cost that the server asks for. */
export const hashAtFullCost = argon2.hash

/** Tests sign in thousands of times, and each would take 15 ms of a processor. What they check does not depend on it. */
export const makePasswordsCheap = () => {
  argon2.hash = (password, options) => hashAtFullCost(password, { ...options, memoryCost: 8, timeCost: 1 })
}
