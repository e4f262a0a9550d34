/** Does the work for each item, `most` at a time. The first error ends it. */
export const inGroups = async <T>(
  items: readonly T[],
  most: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> => {
  for (let at = 0; at < items.length; at += most) await Promise.all(items.slice(at, at + most).map(work))
}
