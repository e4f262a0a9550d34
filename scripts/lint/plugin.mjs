import { asksTheServer } from './asks-the-server.mjs'
import { namedCodes } from './named-codes.mjs'
import { conditionalText } from './conditional-text.mjs'
import { oneMeaning } from './one-meaning.mjs'
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

const message =
  'The clock of a device may show any time: use serverNow() of web/src/lib/clock.ts, or performance.now() for a duration.'

/** What reads the device's clock: `Date.now`, `new Date()`, `Date()`. */
const deviceClock = {
  create(context) {
    const isNamed = (node, ...names) => node.type === 'Identifier' && names.includes(node.name)
    return {
      MemberExpression: (node) => {
        const isNow = isNamed(node.object, 'Date') && isNamed(node.property, 'now')
        const isOrigin = isNamed(node.object, 'performance') && isNamed(node.property, 'timeOrigin')
        if (isNow || isOrigin) context.report({ node, message })
      },
      NewExpression: (node) => {
        if (isNamed(node.callee, 'Date') && node.arguments.length === 0) context.report({ node, message })
      },
      CallExpression: (node) => {
        if (isNamed(node.callee, 'Date')) context.report({ node, message })
      },
    }
  },
}

/** A cast to `never` fits anywhere: what is renamed compiles on, and does the wrong thing. */
const asNever = {
  create(context) {
    const message = 'a cast to `never` hides every mistake: give the value its type, such as the search of a route'
    return {
      TSAsExpression: (node) => {
        if (node.typeAnnotation.type === 'TSNeverKeyword') context.report({ node, message })
      },
    }
  },
}

/** The browser's own limit leaves half an emoji, and counts a letter and its marks apart. */
const textLimit = {
  create(context) {
    const message = 'the browser would cut inside of letters: use useTextLimit of web/src/ui/control, or an Input'
    return {
      JSXOpeningElement: ({ name, attributes }) => {
        const limit = attributes.find((one) => one.type === 'JSXAttribute' && one.name.name === 'maxLength')
        if (limit && ['input', 'textarea'].includes(name.name)) context.report({ node: limit, message })
      },
    }
  },
}

/** Our own lint rules, for oxlint's jsPlugins. */
export default {
  meta: { name: 'tallyroom' },
  rules: {
    zones,
    'as-never': asNever,
    'asks-the-server': asksTheServer,
    'device-clock': deviceClock,
    'named-codes': namedCodes,
    'conditional-text': conditionalText,
    'one-meaning': oneMeaning,
    'text-limit': textLimit,
  },
}
