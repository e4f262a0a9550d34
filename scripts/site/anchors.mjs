/** The name that a heading gets in a link, as code hosts make it. */
export const anchorOf = (heading) =>
  heading
    .replace(/^#+\s*/, '')
    .replace(/[`*]/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')
