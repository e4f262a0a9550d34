import { zoneBreach } from './zones.mjs'

const zones = {
  create(context) {
    const check = (node) => {
      if (typeof node.source?.value !== 'string') return
      const isType = (node.importKind ?? node.exportKind) === 'type'
      const message = zoneBreach(context.filename, node.source.value, { isType })
      if (message) context.report({ node, message })
    }
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
    }
  },
}

/** Our own lint rules, for oxlint's jsPlugins. */
export default { meta: { name: 'tallyroom' }, rules: { zones } }
