/**
 * Which text may become markup or a script's address, in browsers that enforce `require-trusted-types-for` of the
 * server's Content-Security-Policy. Import this first: without the policy, workers and the component library's styles
 * fail.
 */
type Rules = { createHTML: (text: string) => string | null; createScriptURL: (address: string) => string | null }
type Factory = { createPolicy: (name: 'default', rules: Rules) => unknown }

const factory = (window as { trustedTypes?: Factory }).trustedTypes

factory?.createPolicy('default', {
  // The component library's style sheets go through innerHTML. Without "<" there is no element, and so no script.
  createHTML: (text) => (text.includes('<') ? null : text),
  createScriptURL: (address) => {
    const { origin, pathname } = new URL(address, window.location.href)
    return origin === window.location.origin && /^\/(sw\.js$|assets\/)/.test(pathname) ? address : null
  },
})
