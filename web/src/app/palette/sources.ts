import type { PaletteSource } from '../../ui/palette-source.ts'

type Load = () => Promise<PaletteSource>
const loaders: Load[] = []

/**
 * Registers the group of one feature, after those registered before. Its script is loaded with the palette, not with
 * the page.
 */
export const addPaletteSource = (load: Load) => void loaders.push(load)

/** All registered groups, in the order of their registration. */
export const loadPaletteSources = () => Promise.all(loaders.map((load) => load()))
