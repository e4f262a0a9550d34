import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AtRule, type Plugin, type Root } from 'postcss'

/**
 * The cascade layers, the weakest first: a rule of a later layer wins, whatever its selector and the order in which the
 * browser gets the sheets. A sheet is in the layer of its folder in src, but a package's in `library`, and theme/base.css
 * in `base`: it styles bare elements, as packages do.
 */
export const LAYERS = ['base', 'library', 'theme', 'ui', 'domain', 'chat', 'member', 'app', 'features', 'entries']

const source = fileURLToPath(new URL('src', import.meta.url))

const layerOf = (file: string) => {
  if (file.includes('node_modules')) return 'library'
  const path = relative(source, file).replaceAll('\\', '/')
  if (path === 'theme/base.css') return 'base'
  const [folder = ''] = path.split('/')
  if (!LAYERS.includes(folder)) throw new Error(`${file} is in no layer: name its folder in web/layers.ts`)
  return folder
}

/** Wraps a sheet into a layer. Each names them all, because the first sheet that a browser reads decides their order. */
const putIntoLayer = (sheet: Root, layer: string) => {
  const rules = sheet.nodes
  sheet.removeAll()
  sheet.append(
    new AtRule({ name: 'layer', params: LAYERS.join(', ') }),
    new AtRule({ name: 'layer', params: layer, nodes: rules }),
  )
}

/** Puts each sheet into its layer, so that no sheet has to name it. */
export const layers = (): Plugin => ({
  postcssPlugin: 'layers',
  Once: (sheet) => putIntoLayer(sheet, layerOf(sheet.source?.input.file ?? '')),
})
