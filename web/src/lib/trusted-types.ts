/**
 * Which text may become a script's address, in browsers that enforce `require-trusted-types-for` of the server's
 * Content-Security-Policy; none becomes markup. Import this first: without the policy, workers do not start.
 */
type Rules = { createScriptURL: (address: string) => string | null }
type Factory = { createPolicy: (name: 'default', rules: Rules) => unknown }

const factory = (window as { trustedTypes?: Factory }).trustedTypes

factory?.createPolicy('default', {
  createScriptURL: (address) => {
    const { origin, pathname } = new URL(address, window.location.href)
    return origin === window.location.origin && /^\/(sw\.js$|assets\/)/.test(pathname) ? address : null
  },
})
