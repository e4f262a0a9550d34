/**
 * A translator in the browser moves the texts of a page into elements of its own. React then cannot remove a text, or
 * put an element before it: the whole page ends in an error (TEXT-03). An element that holds nothing but text is safe.
 */
const NOTHING = new Set(['null', 'undefined', 'false', 'true'])
/** Functions of ours that return a text to show. */
const SAYS =
  /^(t|say|show[A-Z]\w*|exact\w*|nameOf|shown\w*|\w+(Text|Label|Title|Word|Words|Name|Names|Amount|Time|Day)(Of)?|timeOf|dayLabel)$/

/** Elements of words: what a component puts into one, as `children`, may be a bare text of its caller. */
const PHRASES = new Set('a b button h1 h2 h3 h4 label p span strong summary'.split(' '))

/** Fields that hold a text. */
const TEXTS = new Set(
  'label text name title word username nickname amount remark value content detail hint key'.split(' '),
)

const unwrap = (node) =>
  node && ['TSAsExpression', 'TSNonNullExpression', 'ParenthesizedExpression'].includes(node.type)
    ? unwrap(node.expression)
    : node

/** What an expression may be: 'text', 'element', 'nothing' or 'unknown'. */
const kindsOf = (given) => {
  const node = unwrap(given)
  if (!node) return ['nothing']
  if (node.type === 'ConditionalExpression') return [...kindsOf(node.consequent), ...kindsOf(node.alternate)]
  if (node.type === 'LogicalExpression')
    return node.operator === '&&'
      ? ['nothing', ...kindsOf(node.right)]
      : [...kindsOf(node.left).filter((kind) => kind !== 'nothing'), ...kindsOf(node.right)]
  if (node.type === 'JSXElement' || node.type === 'JSXFragment') return ['element']
  if (node.type === 'TemplateLiteral') return ['text']
  if (node.type === 'BinaryExpression') return node.operator === '+' ? ['text'] : ['unknown']
  if (node.type === 'Literal')
    return [
      typeof node.value === 'string'
        ? node.value === ''
          ? 'nothing'
          : /\S/.test(node.value)
            ? 'text'
            : 'unknown'
        : 'nothing',
    ]
  if (node.type === 'MemberExpression' && TEXTS.has(node.property.name)) return ['text']
  if (node.type === 'Identifier' && NOTHING.has(node.name)) return ['nothing']
  if (node.type === 'CallExpression' && node.callee.type === 'Identifier' && SAYS.test(node.callee.name))
    return ['text']
  return ['unknown']
}

const isBlank = (child) =>
  (child.type === 'JSXText' && !/\S/.test(child.value)) ||
  (child.type === 'JSXExpressionContainer' && child.expression.type === 'JSXEmptyExpression')
const kindsOfChild = (child) => {
  if (child.type === 'JSXText' || isGiven(child)) return ['text']
  if (child.type === 'JSXExpressionContainer') return kindsOf(child.expression)
  return child.type === 'JSXElement' ? ['element'] : ['unknown']
}

const isGiven = ({ type, expression, parent }) =>
  type === 'JSXExpressionContainer' &&
  expression.type === 'Identifier' &&
  expression.name === 'children' &&
  PHRASES.has(parent.openingElement?.name.name)

const isComponent = (node) => {
  const name = node.id?.name ?? (node.parent?.type === 'VariableDeclarator' ? node.parent.id?.name : undefined)
  return /^[A-Z]/.test(name ?? '')
}

const returnsOf = (body, found = []) => {
  if (!body || typeof body.type !== 'string' || /Function/.test(body.type)) return found
  if (body.type === 'ReturnStatement') found.push(body.argument)
  for (const [key, value] of Object.entries(body)) {
    if (key === 'parent') continue
    for (const one of Array.isArray(value) ? value : [value])
      if (one && typeof one === 'object' && typeof one.type === 'string') returnsOf(one, found)
  }
  return found
}

export const conditionalText = {
  create(context) {
    const report = (node, message) => context.report({ node, message })
    const checkChildren = (node) => {
      const children = node.children.filter((child) => !isBlank(child))
      const isAlone = children.length < 2 && node.type === 'JSXElement'
      if (isAlone) return
      const kinds = children.map(kindsOfChild)
      children.forEach((child, at) => {
        const own = kinds[at]
        if (!own.includes('text')) return
        if (own.some((kind) => kind !== 'text'))
          report(
            child,
            'a text that is drawn on a condition needs an element of its own: a translated page would break',
          )
        else if (kinds.slice(0, at).some((before) => before.length > 1 && before.some((kind) => kind !== 'text')))
          report(
            child,
            'a text behind an element that comes and goes needs an element of its own: a translated page would break',
          )
      })
    }
    const checkFunction = (node) => {
      if (!isComponent(node)) return
      const returned = node.body.type === 'BlockStatement' ? returnsOf(node.body) : [node.body]
      for (const one of returned)
        if (kindsOf(one).includes('text'))
          report(
            one ?? node,
            'a component returns no bare text: put it into an element, or a translated page would break',
          )
    }
    return {
      JSXElement: checkChildren,
      JSXFragment: checkChildren,
      ArrowFunctionExpression: checkFunction,
      FunctionDeclaration: checkFunction,
      FunctionExpression: checkFunction,
    }
  },
}
