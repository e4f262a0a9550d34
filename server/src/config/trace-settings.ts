import { z } from 'zod'
import { oneOf, readEnv, text, webAddress, wholeNumber, yesOrNo } from './env.ts'
import { addSettings } from './known-settings.ts'

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
  /** For the samplers by ratio: how many of all traces, from 0 to 1. */
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

/** The names, the defaults and the meaning are those of OpenTelemetry. */
const shape = {
  OTEL_SDK_DISABLED: yesOrNo(false),
  OTEL_TRACES_EXPORTER: oneOf('otlp', ['otlp', 'none']),
  OTEL_EXPORTER_OTLP_PROTOCOL: oneOf('http/json', ['http/json']),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: oneOf('http/json', ['http/json']),
  OTEL_EXPORTER_OTLP_HEADERS: headers(),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: headers(),
  OTEL_EXPORTER_OTLP_TIMEOUT: milliseconds(10_000),
  OTEL_BSP_SCHEDULE_DELAY: milliseconds(5000),
  OTEL_SERVICE_NAME: text(),
  OTEL_RESOURCE_ATTRIBUTES: pairs('must look like name=value,name=value, with other characters as %20.'),
  OTEL_TRACES_SAMPLER: oneOf('parentbased_always_on', samplers),
  OTEL_TRACES_SAMPLER_ARG: ratio(),
}
addSettings(Object.keys(shape))

/** Undefined without an address: then these variables are those of other programs, and are not looked at. */
export const traceSettings = (env: NodeJS.ProcessEnv): TraceSettings | undefined => {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole } = readEnv(env, {
    OTEL_EXPORTER_OTLP_ENDPOINT: webAddress(),
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: webAddress(),
  })
  const url = whole ?? (base && `${base.replace(/\/+$/, '')}/v1/traces`)
  if (!url) return undefined
  const found = readEnv(env, shape)
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
