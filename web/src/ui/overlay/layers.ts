const LAYER = '[role="dialog"], dialog[open], [role="menu"]'

/** The dialogs, drawers and menus that are open; closed ones may stay in the page. */
export const openLayers = (): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>(LAYER)].filter((layer) => layer.getClientRects().length > 0)
