import { z } from 'zod'
import { oneOf, readEnv, text, webAddress, wholeNumber, yesOrNo } from './env.ts'

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

export type TraceSettings = {
  /** Where traces are posted. */
  url: string
  headers: Record<string, string>
  timeoutMs: number
  /** How long spans are collected before they are sent. */
  delayMs: number
  resource: Record<string, string>
  sampler: (typeof samplers)[number]
  /** The share of all traces that a sampler by ratio takes, from 0 to 1. */
  ratio: number
}

/** OpenTelemetry's lists: name=value,name=value, with values as in an address. The rule names no value: headers hold secrets. */
const pairs = (rule: string) =>
  z
    .string()
    .default('')
    .transform((given) => {
      const found: Record<string, string> = {}
      for (const pair of given.split(',').filter((one) => one.trim() !== '')) {
        const [, name, value] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*([^\s,;"\\]*)\s*$/.exec(pair) ?? []
        const decoded = value === undefined ? undefined : decode(value)
        if (name === undefined || decoded === undefined) return undefined
        found[name] = decoded
      }
      return found
    })
    .pipe(z.record(z.string(), z.string(), { error: rule }))

const decode = (value: string) => {
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}

const ratio = () => {
  const rule = 'is "{value}", but must be a number from 0 to 1, such as 0.1 for a tenth of all traces.'
  return z
    .string()
    .regex(/^\d+(\.\d+)?$/, rule)
    .transform(Number)
    .pipe(z.number().min(0, rule).max(1, rule))
    .default(1)
}

const headers = () => pairs('must look like name=value,name=value, with other characters as %20.')
const milliseconds = (fallback: number) => wholeNumber(fallback, 10, 120_000)

export const traceAddressShape = {
  OTEL_EXPORTER_OTLP_ENDPOINT: webAddress().describe(
    'A collector of [traces](operations/alerts.md#traces); `/v1/traces` is added. Without it nothing is recorded.',
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: webAddress().describe('The whole address of the collector instead.'),
}

/** The names, the defaults and the meaning are those of OpenTelemetry. */
export const traceShape = {
  OTEL_SDK_DISABLED: yesOrNo(false).describe('`true`: no traces, although an endpoint is set.'),
  OTEL_TRACES_EXPORTER: oneOf('otlp', ['otlp', 'none']).describe('`none`: no traces, although an endpoint is set.'),
  OTEL_EXPORTER_OTLP_PROTOCOL: oneOf('http/json', ['http/json']).describe('There is no other.'),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: oneOf('http/json', ['http/json']).describe('There is no other.'),
  OTEL_EXPORTER_OTLP_HEADERS: headers().meta({
    description: 'The headers of a request to the collector, such as `authorization=Bearer%20…,x-scope-orgid=1`.',
    isSecret: true,
  }),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: headers().meta({
    description: 'More of them, which replace those of the same name.',
    isSecret: true,
  }),
  OTEL_EXPORTER_OTLP_TIMEOUT: milliseconds(10_000).describe('After so many milliseconds a request to it is given up.'),
  OTEL_BSP_SCHEDULE_DELAY: milliseconds(5000).describe(
    'For so many milliseconds spans are collected before they are sent.',
  ),
  OTEL_SERVICE_NAME: text().meta({
    description: 'The name of this installation in the collector.',
    shownFallback: '`tallyroom`',
  }),
  OTEL_RESOURCE_ATTRIBUTES: pairs('must look like name=value,name=value, with other characters as %20.').describe(
    'More about this copy, such as `deployment.environment.name=production`.',
  ),
  OTEL_TRACES_SAMPLER: oneOf('parentbased_always_on', samplers).describe(
    `Which traces are recorded: ${samplers.map((one) => `\`${one}\``).join(', ')}.`,
  ),
  OTEL_TRACES_SAMPLER_ARG: ratio().describe(
    'The part of all traces that the samplers by ratio record: 0.05 is each twentieth.',
  ),
}

/** Undefined without an address: then these variables are those of other programs, and are not looked at. */
export const traceSettings = (env: NodeJS.ProcessEnv): TraceSettings | undefined => {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole } = readEnv(
    env,
    traceAddressShape,
  )
  const url = whole ?? (base && `${base.replace(/\/+$/, '')}/v1/traces`)
  if (!url) return undefined
  const found = readEnv(env, traceShape)
  if (found.OTEL_SDK_DISABLED || found.OTEL_TRACES_EXPORTER === 'none') return undefined
  return {
    url,
    headers: { ...found.OTEL_EXPORTER_OTLP_HEADERS, ...found.OTEL_EXPORTER_OTLP_TRACES_HEADERS },
    timeoutMs: found.OTEL_EXPORTER_OTLP_TIMEOUT,
    delayMs: found.OTEL_BSP_SCHEDULE_DELAY,
    resource: {
      'service.name': 'tallyroom',
      ...found.OTEL_RESOURCE_ATTRIBUTES,
      ...(found.OTEL_SERVICE_NAME && { 'service.name': found.OTEL_SERVICE_NAME }),
    },
    sampler: found.OTEL_TRACES_SAMPLER,
    ratio: found.OTEL_TRACES_SAMPLER_ARG,
  }
}
