/** An order that fails because of a bug. Its batch is repeated order by order, so that only this order fails. */
export class BrokenOrder extends Error {}
