/** An order that a fault of the program breaks. A batch with one is repeated order by order, so that only this one fails. */
export class BrokenOrder extends Error {}
