import { networkInterfaces } from 'node:os'
import type { Settings } from './settings.ts'

/** Networks that containers and virtual machines of this machine are in, and no other device. */
const INSIDE = /^(docker|br-|veth|virbr|vmnet|lxc|podman|cni)/

/** The first address of this machine in a network that other devices can be in. */
const machineAddress = (interfaces: ReturnType<typeof networkInterfaces>): string | undefined =>
  Object.entries(interfaces)
    .filter(([name]) => !INSIDE.test(name))
    .flatMap(([, addresses = []]) => addresses)
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address

/**
 * Where other devices find the server: PUBLIC_URL, or without it this machine in its network. Undefined when only this
 * machine finds it.
 */
export const addressForOthers = (
  { publicUrl, host, port }: Pick<Settings, 'publicUrl' | 'host' | 'port'>,
  interfaces = networkInterfaces(),
): string | undefined => {
  if (publicUrl !== undefined) return publicUrl
  const own = host === '0.0.0.0' || host === '::' ? machineAddress(interfaces) : undefined
  return own === undefined || port === 0 ? undefined : `http://${own}:${port}`
}
