/**
 * What text may become markup or a script's address, in browsers that ask (`require-trusted-types-for` in the server's
 * Content-Security-Policy). A page imports this first: without the policy, workers and the component library's styles fail.
 */
type Rules = { createHTML: (text: string) => string | null; createScriptURL: (address: string) => string | null }
type Factory = { createPolicy: (name: 'default', rules: Rules) => unknown }

const factory = (window as { trustedTypes?: Factory }).trustedTypes

factory?.createPolicy('default', {
  // Style sheets of the component library go through innerHTML. Without "<" there is no element, and so no script.
  createHTML: (text) => (text.includes('<') ? null : text),
  createScriptURL: (address) => {
    const { origin, pathname } = new URL(address, window.location.href)
    return origin === window.location.origin && /^\/(sw\.js$|assets\/)/.test(pathname) ? address : null
  },
})
